import type { CheckedRequest } from './google-schema.ts';
import { notFound, type Refusal, refuse } from './google-refusal.ts';

/** All records of one type at one name, as Cloud DNS has them. */
export interface DnsRecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
}

export interface ManagedZone {
  readonly name: string;
  readonly dnsName: string;
  /** The names of the networks that see it; absent for a public zone. */
  readonly networks?: readonly string[];
  readonly rrsets: DnsRecordSet[];
}

interface Changes {
  readonly additions?: readonly DnsRecordSet[];
  readonly deletions?: readonly DnsRecordSet[];
}

/** Small, so that lists have several pages. */
const PAGE = 3;

/**
 * Cloud DNS in memory, according to its REST reference: a change is atomic, its deletions must match exactly, and its
 * additions must not exist.
 */
export class DnsState {
  readonly zones: ManagedZone[] = [];
  /** A project that does not use the service is told so, and gets no other answer. */
  isOff = false;

  answer({ method, parameters, body }: CheckedRequest): object | Refusal {
    if (this.isOff) return refuse(403, 'accessNotConfigured', 'Cloud DNS API has not been used in project before');
    const { project = '', managedZone = '', pageToken = '0' } = parameters;
    if (method.id === 'dns.managedZones.list') {
      return pageOf(
        'managedZones',
        this.zones.map((zone) => describe(zone, project)),
        pageToken,
      );
    }
    const zone = this.zones.find(({ name }) => name === managedZone);
    if (zone === undefined) return notFound(managedZone);
    if (method.id === 'dns.resourceRecordSets.list') return pageOf('rrsets', zone.rrsets, pageToken);
    return change(zone, body ?? {});
  }
}

function pageOf(key: string, items: readonly object[], token: string): object {
  const from = Number(token);
  const next = from + PAGE < items.length ? { nextPageToken: String(from + PAGE) } : {};
  return { [key]: items.slice(from, from + PAGE), ...next };
}

function change(zone: ManagedZone, changes: Changes): object | Refusal {
  const conflict = conflictIn(zone.rrsets, changes);
  if (conflict !== undefined) return conflict;
  const { additions = [], deletions = [] } = changes;
  const left = zone.rrsets.filter((set) => !deletions.some((one) => isSame(one, set)));
  zone.rrsets.splice(0, zone.rrsets.length, ...left, ...additions);
  return { kind: 'dns#change', id: '1', status: 'pending', ...changes };
}

const describe = ({ name, dnsName, networks }: ManagedZone, project: string): object => ({
  kind: 'dns#managedZone',
  name,
  dnsName,
  visibility: networks === undefined ? 'public' : 'private',
  ...(networks && {
    privateVisibilityConfig: {
      networks: networks.map((network) => ({
        networkUrl: `https://www.googleapis.com/compute/v1/projects/${project}/global/networks/${network}`,
      })),
    },
  }),
});

const isSame = (a: DnsRecordSet, b: DnsRecordSet): boolean =>
  JSON.stringify([a.name, a.type, a.ttl, a.rrdatas]) === JSON.stringify([b.name, b.type, b.ttl, b.rrdatas]);

function conflictIn(there: readonly DnsRecordSet[], { additions = [], deletions = [] }: Changes): Refusal | undefined {
  const gone = deletions.findIndex((one) => !there.some((set) => isSame(one, set)));
  if (gone !== -1) {
    return refuse(412, 'conditionNotMet', `Precondition not met for 'entity.change.deletions[${gone}]'`);
  }
  const left = there.filter((set) => !deletions.some((one) => isSame(one, set)));
  const twice = additions.findIndex(({ name, type }) => left.some((set) => set.name === name && set.type === type));
  if (twice === -1) return undefined;
  return refuse(409, 'alreadyExists', `The resource 'entity.change.additions[${twice}]' already exists`);
}
