import { explainRefusal } from '@kopsctl/google/explain-refusal.ts';
import type { GoogleApi, GoogleRequest } from '@kopsctl/google/google-api.ts';
import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { batches } from '../batches.ts';
import { DnsConflictError } from '../dns-conflict.ts';
import { findZones } from '../find-zones.ts';
import {
  canonicalName,
  type DnsProvider,
  type NameChange,
  type ObservedRecordSet,
  type RecordSet,
  type Zone,
} from '../zone.ts';

export interface CloudDnsOptions {
  readonly project: string;
  /** Names of managed zones, or names in DNS. */
  readonly zones: readonly string[];
  /** Where the zones are private: the name of the network that sees them. */
  readonly network?: string;
  /** Another server than Google's. */
  readonly endpoint?: string;
}

export interface CloudDnsEnv {
  readonly api: GoogleApi;
  readonly signal: AbortSignal;
}

/** https://cloud.google.com/dns/docs/reference/rest/v1, the parts that are used. */
interface ManagedZone {
  readonly name: string;
  readonly dnsName: string;
  readonly visibility?: 'public' | 'private';
  readonly privateVisibilityConfig?: { readonly networks?: readonly { readonly networkUrl?: string }[] };
}

interface ResourceRecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl?: number;
  readonly rrdatas?: readonly string[];
  readonly routingPolicy?: object;
}

const DEFAULT_ENDPOINT = 'https://dns.googleapis.com/dns/v1';

const NEEDS = {
  right: 'roles/dns.admin',
  scope: 'ndev.clouddns.readwrite',
  service: 'dns.googleapis.com',
  otherwise: 'check the zone with `gcloud dns managed-zones list`',
};

/** Quotas of one change: 1,000 additions, 1,000 deletions, 100,000 bytes of data (cloud.google.com/dns/quotas). */
const LIMITS = { maxCount: 1000, maxSize: 100_000 };

/** Exact sets that are not there any more (412, 404), or new ones that somebody else made already (409): the message names the part of the change. */
const CONFLICTS: readonly number[] = [404, 409, 412];

/** Managed zones of Google's Cloud DNS. A change is atomic, and refused where what it deletes is not exactly there. */
export function cloudDnsZones(options: CloudDnsOptions, env: CloudDnsEnv): DnsProvider {
  const { project, zones: meant, network, endpoint = DEFAULT_ENDPOINT } = options;
  const root = `${endpoint}/projects/${encodeURIComponent(project)}/managedZones`;
  return {
    async zones() {
      const all = await pages<ManagedZone>('list the DNS zones', root, 'managedZones', env);
      const visible = all.filter((zone) => isSeenFrom(zone, network));
      const kind = network === undefined ? 'public zones' : `private zones of the network ${network}`;
      const there = visible.map(({ name, dnsName }) => ({ id: name, name: canonicalName(dnsName) }));
      return findZones(there, meant, `${kind} of the project ${project}`);
    },

    async list(zone) {
      const url = `${root}/${encodeURIComponent(zone.id)}/rrsets`;
      const sets = await pages<ResourceRecordSet>(`list the DNS zone ${zone.name}`, url, 'rrsets', env);
      return sets.map(observe);
    },

    async change(zone, changes) {
      const url = `${root}/${encodeURIComponent(zone.id)}/changes`;
      for (const batch of batches(changes, LIMITS, measure)) await send(url, zone, batch, env);
    },
  };
}

function isSeenFrom({ visibility, privateVisibilityConfig }: ManagedZone, network: string | undefined): boolean {
  if (network === undefined) return visibility !== 'private';
  const networks = privateVisibilityConfig?.networks ?? [];
  return (
    visibility === 'private' && networks.some(({ networkUrl = '' }) => networkUrl.endsWith(`/networks/${network}`))
  );
}

async function pages<Item>(what: string, url: string, list: string, env: CloudDnsEnv): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const query: string = pageToken === '' ? '' : `?${new URLSearchParams({ pageToken }).toString()}`;
    const page = await call(what, { method: 'GET', url: url + query }, env);
    // Google's own schema says so; a list without items is left out.
    const answer = page as Record<string, readonly Item[] | undefined> & { readonly nextPageToken?: string };
    items.push(...(answer[list] ?? []));
    pageToken = answer.nextPageToken;
  }
  return items;
}

function observe({ name, type, ttl = 0, rrdatas = [], routingPolicy }: ResourceRecordSet): ObservedRecordSet {
  const seen = { name: canonicalName(name), type, ttlSeconds: ttl, values: rrdatas };
  return routingPolicy === undefined ? seen : { ...seen, opaque: 'a routing policy' };
}

function measure({ sets }: NameChange) {
  const all = sets.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  return { count: sets.length, size: all.reduce((sum, { values }) => sum + Buffer.byteLength(values.join('')), 0) };
}

async function send(url: string, zone: Zone, batch: readonly NameChange[], env: CloudDnsEnv): Promise<void> {
  const sets = batch.flatMap((change) => change.sets);
  const deletions = sets.flatMap(({ before }) => (before === undefined ? [] : resource(before)));
  const additions = sets.flatMap(({ after }) => (after === undefined ? [] : resource(after)));
  // A change whose answer was lost is refused when it is repeated: what it deletes is not there any more.
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
  own: (refusal: GoogleRefusal) => Error | undefined = () => undefined,
): Promise<unknown> {
  try {
    return await api.call(request, signal);
  } catch (thrown) {
    if (!(thrown instanceof GoogleRefusal)) throw thrown;
    throw own(thrown) ?? explainRefusal(what, NEEDS, thrown);
  }
}

/** Names in data end with a dot here, or Google takes them for relative and refuses them. */
function resource({ name, type, ttlSeconds, values }: RecordSet): ResourceRecordSet {
  const rrdatas = type === 'CNAME' ? values.map((value) => `${value.replace(/\.$/, '')}.`) : values;
  return { name: `${name}.`, type, ttl: ttlSeconds, rrdatas };
}
