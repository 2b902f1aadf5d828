import { quoteText, textOf } from './record-values.ts';
import { RECORD_TYPES, type ObservedRecordSet, type RecordType } from './zone.ts';

/**
 * The owner of records. Ownership is recorded beside each record set in a TXT record in the format of external-dns
 * (external-dns registry/txt), so each of the two knows which records belong to the other.
 */
export interface Owner {
  /** kops gives external-dns the owner id `kops-<cluster>` (kops upup/pkg/fi/cloudup/dns.go). */
  readonly id: string;
  /**
   * The prefix of the TXT records' names; `%{record_type}` is replaced by the type, as in external-dns's --txt-prefix.
   */
  readonly prefix: string;
}

const TYPE = '%{record_type}';

/**
 * Replaces the asterisk of a wildcard in the name of its ownership record, because not every DNS service accepts one
 * there (external-dns: --txt-wildcard-replacement). A name that starts with this label is never managed.
 */
const WILDCARD = '_wildcard';

/** Whether a name would share its ownership record with a wildcard. */
export function looksLikeWildcard(name: string): boolean {
  return name.startsWith(`${WILDCARD}.`);
}

/** The owner of a cluster's records. The prefix is a separate label, so that the zone's own name can be marked too. */
export function ownerOfCluster(clusterName: string): Owner {
  return { id: `kops-${clusterName}`, prefix: `kops-${TYPE}.` };
}

/** The name of the ownership record of a record set. */
export function markName(owner: Owner, name: string, type: RecordType): string {
  return prefixOf(owner, type) + name.replace(/^\*\./, `${WILDCARD}.`);
}

function prefixOf({ prefix }: Owner, type: RecordType): string {
  const lower = type.toLowerCase();
  return prefix.includes(TYPE) ? prefix.replaceAll(TYPE, lower) : `${prefix}${lower}-`;
}

/** The record set that the ownership record with this name marks. */
export function markedBy(owner: Owner, name: string): { readonly name: string; readonly type: RecordType } | undefined {
  for (const type of RECORD_TYPES) {
    const start = prefixOf(owner, type);
    if (!name.startsWith(start) || name === start) continue;
    const marked = name.slice(start.length);
    return { name: looksLikeWildcard(marked) ? marked.replace(WILDCARD, '*') : marked, type };
  }
  return undefined;
}

/** The value of an ownership record. */
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

/** Whether a set is an ownership record of this owner and contains nothing else. */
export function isMarkOf(owner: Owner, set: ObservedRecordSet): boolean {
  const owners = ownersIn(set);
  return owners.length === set.values.length && owners.length > 0 && owners.every((id) => id === owner.id);
}
