import { quoteText, textOf } from './record-values.ts';
import { RECORD_TYPES, type ObservedRecordSet, type RecordType } from './zone.ts';

/**
 * Whose records are ours. Ownership is written down beside each record in a TXT record of the form that external-dns
 * gives its own (external-dns registry/txt), so either knows what the other's are.
 */
export interface Owner {
  /** kops tells external-dns `kops-<cluster>` (kops upup/pkg/fi/cloudup/dns.go). */
  readonly id: string;
  /** Put before the names of the TXT records; `%{record_type}` stands for the type, as in external-dns's --txt-prefix. */
  readonly prefix: string;
}

const TYPE = '%{record_type}';

/**
 * Stands for the asterisk of a wildcard in the name of its ownership record, where not every service of DNS takes one
 * (external-dns: --txt-wildcard-replacement). A name that begins so itself is never this cluster's.
 */
const WILDCARD = '_wildcard';

/** Whether a name would share its ownership record with a wildcard. */
export function looksLikeWildcard(name: string): boolean {
  return name.startsWith(`${WILDCARD}.`);
}

/** The owner of a cluster's records. The prefix is a label of its own, so that a zone's own name can be marked too. */
export function ownerOfCluster(clusterName: string): Owner {
  return { id: `kops-${clusterName}`, prefix: `kops-${TYPE}.` };
}

/** Where the ownership of a record set is written down. */
export function markName(owner: Owner, name: string, type: RecordType): string {
  return prefixOf(owner, type) + name.replace(/^\*\./, `${WILDCARD}.`);
}

function prefixOf({ prefix }: Owner, type: RecordType): string {
  const lower = type.toLowerCase();
  return prefix.includes(TYPE) ? prefix.replaceAll(TYPE, lower) : `${prefix}${lower}-`;
}

/** Which record set a name would be the ownership of. */
export function markedBy(owner: Owner, name: string): { readonly name: string; readonly type: RecordType } | undefined {
  for (const type of RECORD_TYPES) {
    const start = prefixOf(owner, type);
    if (!name.startsWith(start) || name === start) continue;
    const marked = name.slice(start.length);
    return { name: looksLikeWildcard(marked) ? marked.replace(WILDCARD, '*') : marked, type };
  }
  return undefined;
}

/** What an ownership record of ours says. */
export function markValue(owner: Owner): string {
  return quoteText(`heritage=external-dns,external-dns/owner=${owner.id},external-dns/resource=kopsctl`);
}

/** The owners that a TXT set names. */
export function ownersIn(set: ObservedRecordSet): readonly string[] {
  return set.type === 'TXT' ? set.values.flatMap((value) => ownerIn(textOf(value)) ?? []) : [];
}

function ownerIn(text: string): string | undefined {
  const labels = new Map(text.split(',').map((label) => splitOnce(label.trim())));
  return labels.get('heritage') === 'external-dns' ? labels.get('external-dns/owner') : undefined;
}

function splitOnce(label: string): readonly [string, string] {
  const at = label.indexOf('=');
  return at < 0 ? [label, ''] : [label.slice(0, at), label.slice(at + 1)];
}

/** Whether a set is an ownership record of this owner and nothing else. */
export function isMarkOf(owner: Owner, set: ObservedRecordSet): boolean {
  const owners = ownersIn(set);
  return owners.length === set.values.length && owners.length > 0 && owners.every((id) => id === owner.id);
}
