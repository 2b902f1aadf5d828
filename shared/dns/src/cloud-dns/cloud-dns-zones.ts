import { explainRefusal } from '@kopsctl/google/explain-refusal.ts';
import type { GoogleApi, GoogleRequest } from '@kopsctl/google/google-api.ts';
import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { batches } from '../batches.ts';
import { DnsConflictError } from '../dns-conflict.ts';
import { findZones } from '../find-zones.ts';
import {
  parseManagedZone,
  parsePage,
  parseResourceRecordSet,
  type ManagedZone,
  type Page,
  type ResourceRecordSet,
} from './parse-answer.ts';
import {
  canonicalName,
  isWithin,
  type DnsProvider,
  type NameChange,
  type ObservedRecordSet,
  type RecordSet,
  type Zone,
} from '../zone.ts';

export interface CloudDnsOptions {
  readonly project: string;
  /** The names of managed zones, or their DNS names. */
  readonly zones: readonly string[];
  /** The name of the network that sees the zones, if they are private. */
  readonly network?: string;
  /** The URL of a server other than Google's. */
  readonly endpoint?: string;
}

export interface CloudDnsEnv {
  readonly api: GoogleApi;
  readonly signal: AbortSignal;
}

const DEFAULT_ENDPOINT = 'https://dns.googleapis.com/dns/v1';

const NEEDS = {
  right: 'roles/dns.admin',
  scope: 'ndev.clouddns.readwrite',
  service: 'dns.googleapis.com',
  otherwise: 'check the zone with `gcloud dns managed-zones list`',
};

/** The quotas of one change: 1,000 additions, 1,000 deletions, 100,000 bytes of data (cloud.google.com/dns/quotas). */
const LIMITS = { maxCount: 1000, maxSize: 100_000 };

/**
 * A set to delete no longer exists or has changed (404, 412), or a set to add already exists (409). The message then
 * names the part of the change.
 */
const CONFLICTS: readonly number[] = [404, 409, 412];

/**
 * Managed zones in Google's Cloud DNS. A change is atomic, and refused if a set that it deletes is not exactly as
 * given.
 */
export function cloudDnsZones(options: CloudDnsOptions, env: CloudDnsEnv): DnsProvider {
  const { project, zones: meant, network } = options;
  return providerOf(options, env, (all) => {
    const visible = all.filter((zone) => isVisibleFrom(zone, network));
    const kind = network === undefined ? 'public zones' : `private zones of the network ${network}`;
    return findZones(visible.map(zoneOf), meant, `${kind} of the project ${project}`);
  });
}

/** Every managed zone of a project, public or private, that may hold names below this one. There may be none. */
export function cloudDnsZonesAbove(
  name: string,
  options: Pick<CloudDnsOptions, 'project' | 'endpoint'>,
  env: CloudDnsEnv,
): DnsProvider {
  return providerOf(options, env, (all) => all.map(zoneOf).filter((zone) => isWithin(canonicalName(name), zone.name)));
}

const zoneOf = ({ name, dnsName }: ManagedZone): Zone => ({ id: name, name: canonicalName(dnsName) });

function providerOf(
  { project, endpoint = DEFAULT_ENDPOINT }: Pick<CloudDnsOptions, 'project' | 'endpoint'>,
  env: CloudDnsEnv,
  choose: (all: readonly ManagedZone[]) => readonly Zone[],
): DnsProvider {
  const root = `${endpoint}/projects/${encodeURIComponent(project)}/managedZones`;
  return {
    async zones() {
      const parse = (answer: unknown) => parsePage(answer, 'managedZones', parseManagedZone);
      return choose(await listAll('list the DNS zones', root, env, parse));
    },

    async list(zone) {
      const url = `${root}/${encodeURIComponent(zone.id)}/rrsets`;
      const parse = (answer: unknown) => parsePage(answer, 'rrsets', parseResourceRecordSet);
      const sets = await listAll(`list the DNS zone ${zone.name}`, url, env, parse);
      return sets.map(observe);
    },

    async change(zone, changes) {
      const url = `${root}/${encodeURIComponent(zone.id)}/changes`;
      for (const batch of batches(changes, LIMITS, measure)) await send(url, zone, batch, env);
    },
  };
}

function isVisibleFrom({ isPrivate, networks }: ManagedZone, network: string | undefined): boolean {
  if (network === undefined) return !isPrivate;
  return isPrivate && networks.some((url) => url.endsWith(`/networks/${network}`));
}

async function listAll<Item>(
  what: string,
  url: string,
  env: CloudDnsEnv,
  parse: (answer: unknown) => Page<Item>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let query = '';
  for (;;) {
    const page = parse(await call(what, { method: 'GET', url: url + query }, env));
    items.push(...page.items);
    if (page.nextPageToken === undefined) return items;
    query = `?${new URLSearchParams({ pageToken: page.nextPageToken }).toString()}`;
  }
}

function observe({ name, type, ttl, rrdatas, hasRoutingPolicy }: ResourceRecordSet): ObservedRecordSet {
  const observed = { name: canonicalName(name), type, ttlSeconds: ttl, values: rrdatas };
  return hasRoutingPolicy ? { ...observed, opaque: 'a routing policy' } : observed;
}

function measure({ sets }: NameChange) {
  const all = sets.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  return { count: sets.length, size: all.reduce((sum, { values }) => sum + Buffer.byteLength(values.join('')), 0) };
}

async function send(url: string, zone: Zone, batch: readonly NameChange[], env: CloudDnsEnv): Promise<void> {
  const sets = batch.flatMap((change) => change.sets);
  const deletions = sets.flatMap(({ before }) => (before === undefined ? [] : resource(before)));
  const additions = sets.flatMap(({ after }) => (after === undefined ? [] : resource(after)));
  // If the answer to a change was lost, its repetition is refused with a conflict, because the sets it deletes are
  // gone.
  const isConflict = ({ status, said }: GoogleRefusal) => CONFLICTS.includes(status) && said.includes('entity.change');
  await call(
    `change the DNS zone ${zone.name}`,
    { method: 'POST', url, body: { additions, deletions } },
    env,
    (cause) => (isConflict(cause) ? new DnsConflictError(zone.name, cause.said, cause) : undefined),
  );
}

async function call(
  what: string,
  request: GoogleRequest,
  { api, signal }: CloudDnsEnv,
  explain: (refusal: GoogleRefusal) => Error | undefined = () => undefined,
): Promise<unknown> {
  try {
    return await api.call(request, signal);
  } catch (thrown) {
    if (!(thrown instanceof GoogleRefusal)) throw thrown;
    throw explain(thrown) ?? explainRefusal(what, NEEDS, thrown);
  }
}

/** Cloud DNS refuses names in data that do not end with a dot. */
function resource({ name, type, ttlSeconds, values }: RecordSet) {
  const rrdatas = type === 'CNAME' ? values.map((value) => `${value.replace(/\.$/, '')}.`) : values;
  return { name: `${name}.`, type, ttl: ttlSeconds, rrdatas };
}
