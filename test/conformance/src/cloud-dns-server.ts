import { bodyOf, serve, type TestServer } from './serve-test-server.ts';

interface RecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
}

export interface ManagedZone {
  readonly name: string;
  readonly dnsName: string;
  /** The names of the networks that see it; empty for a public zone. */
  readonly networks?: readonly string[];
  readonly rrsets: RecordSet[];
}

/** Small, so that lists have several pages. */
const PAGE = 3;

/**
 * The part of Cloud DNS that agents use, according to its REST reference: a change is atomic, its deletions must match
 * exactly, and its additions must not exist. `loseAnswers`: the next changes are made, but their answers are lost.
 */
export async function startCloudDns(
  project: string,
  token: string,
  zones: readonly ManagedZone[],
): Promise<TestServer & { loseAnswers(count: number): void }> {
  let lost = 0;
  const root = `/dns/v1/projects/${project}/managedZones`;
  const server = await serve(async (asked, answer) => {
    const url = new URL(asked.url ?? '', 'http://localhost');
    const send = (status: number, body: object) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number, reason: string, message: string) =>
      send(status, { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } });
    const list = (key: string, items: readonly object[]) => {
      const from = Number(url.searchParams.get('pageToken') ?? 0);
      const next = from + PAGE < items.length ? { nextPageToken: String(from + PAGE) } : {};
      return send(200, { [key]: items.slice(from, from + PAGE), ...next });
    };
    if (asked.headers.authorization !== `Bearer ${token}`) return refuse(401, 'required', 'Login Required.');
    if (url.pathname === root) return list('managedZones', zones.map(describe));
    const [name = '', what] = url.pathname.replace(`${root}/`, '').split('/');
    const zone = zones.find((one) => one.name === name);
    if (zone === undefined)
      return refuse(404, 'notFound', `The 'parameters.managedZone' resource named '${name}' does not exist.`);
    if (what === 'rrsets') return list('rrsets', zone.rrsets);
    const changes = JSON.parse(await bodyOf(asked)) as Changes;
    const conflict = conflictIn(zone.rrsets, changes);
    if (conflict !== undefined) return refuse(conflict.status, conflict.reason, conflict.message);
    const { additions = [], deletions = [] } = changes;
    const left = zone.rrsets.filter((set) => !deletions.some((one) => isSame(one, set)));
    zone.rrsets.splice(0, zone.rrsets.length, ...left, ...additions);
    if (lost > 0 && (lost -= 1) >= 0) return answer.destroy();
    return send(200, { kind: 'dns#change', id: '1', status: 'pending', ...changes });
  });
  return { ...server, loseAnswers: (count) => void (lost = count) };
}

interface Changes {
  readonly additions?: readonly RecordSet[];
  readonly deletions?: readonly RecordSet[];
}

const describe = ({ name, dnsName, networks }: ManagedZone) => ({
  kind: 'dns#managedZone',
  name,
  dnsName,
  visibility: networks === undefined ? 'public' : 'private',
  ...(networks && {
    privateVisibilityConfig: {
      networks: networks.map((network) => ({
        networkUrl: `https://www.googleapis.com/compute/v1/projects/acme/global/networks/${network}`,
      })),
    },
  }),
});

const isSame = (a: RecordSet, b: RecordSet): boolean =>
  JSON.stringify([a.name, a.type, a.ttl, a.rrdatas]) === JSON.stringify([b.name, b.type, b.ttl, b.rrdatas]);

function conflictIn(there: readonly RecordSet[], { additions = [], deletions = [] }: Changes) {
  const gone = deletions.findIndex((one) => !there.some((set) => isSame(one, set)));
  if (gone !== -1) {
    return {
      status: 412,
      reason: 'conditionNotMet',
      message: `Precondition not met for 'entity.change.deletions[${gone}]'`,
    };
  }
  const left = there.filter((set) => !deletions.some((one) => isSame(one, set)));
  const twice = additions.findIndex(({ name, type }) => left.some((set) => set.name === name && set.type === type));
  if (twice === -1) return undefined;
  return {
    status: 409,
    reason: 'alreadyExists',
    message: `The resource 'entity.change.additions[${twice}]' already exists`,
  };
}
