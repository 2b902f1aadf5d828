import { describe, expect, test } from 'vitest';
import { answer, type ClusterNames } from './answer.ts';
import { parseEndpoints, parseService } from './cluster-names.ts';

const services = [
  {
    metadata: { name: 'web', namespace: 'default' },
    spec: { clusterIP: '100.64.0.5', clusterIPs: ['100.64.0.5', 'fd00::5'], ports: [{ name: 'http', port: 80 }] },
  },
  {
    metadata: { name: 'db', namespace: 'default' },
    spec: { clusterIP: 'None', ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }] },
  },
  { metadata: { name: 'docs', namespace: 'other' }, spec: { type: 'ExternalName', externalName: 'docs.example.com' } },
];
const endpoints = [
  {
    metadata: { name: 'db', namespace: 'default' },
    subsets: [
      {
        addresses: [{ ip: '10.0.0.1', hostname: 'db-0' }, { ip: '10.0.0.2' }],
        notReadyAddresses: [{ ip: '10.0.0.3', hostname: 'db-2' }],
        ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }],
      },
    ],
  },
];
const byName = <T extends { namespace: string; name: string }>(all: readonly (T | undefined)[]) =>
  new Map(all.flatMap((one) => (one === undefined ? [] : [[`${one.namespace}/${one.name}`, one] as const])));
const names: ClusterNames = {
  domain: 'cluster.local',
  services: byName(services.map(parseService)),
  endpoints: byName(endpoints.map(parseEndpoints)),
};

const ask = (name: string, type: string): string => {
  const found = answer({ name, type }, names);
  if (found === undefined) return 'elsewhere';
  if (!found.exists) return 'no such name';
  return found.records
    .map((one) => (one.type === 'SRV' ? `SRV ${one.port} ${one.target}` : `${one.type} ${one.data}`))
    .join(', ');
};

describe('the specification', () => {
  test.each([
    ['dns-version.cluster.local', 'TXT', 'TXT 1.1.0'],
    ['web.default.svc.cluster.local', 'A', 'A 100.64.0.5'],
    ['WEB.default.svc.Cluster.local.', 'AAAA', 'AAAA fd00::5'],
    ['_http._tcp.web.default.svc.cluster.local', 'SRV', 'SRV 80 web.default.svc.cluster.local'],
    ['5.0.64.100.in-addr.arpa', 'PTR', 'PTR web.default.svc.cluster.local'],
    [
      '5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.d.f.ip6.arpa',
      'PTR',
      'PTR web.default.svc.cluster.local',
    ],
    ['db.default.svc.cluster.local', 'A', 'A 10.0.0.1, A 10.0.0.2'],
    ['db-0.db.default.svc.cluster.local', 'A', 'A 10.0.0.1'],
    ['10-0-0-2.db.default.svc.cluster.local', 'A', 'A 10.0.0.2'],
    [
      '_sql._tcp.db.default.svc.cluster.local',
      'SRV',
      'SRV 5432 db-0.db.default.svc.cluster.local, SRV 5432 10-0-0-2.db.default.svc.cluster.local',
    ],
    ['1.0.0.10.in-addr.arpa', 'PTR', 'PTR db-0.db.default.svc.cluster.local'],
    ['docs.other.svc.cluster.local', 'A', 'CNAME docs.example.com'],
    ['10-0-0-9.default.pod.cluster.local', 'A', 'A 10.0.0.9'],
  ])('%s %s', (name, type, records) => {
    expect(ask(name, type)).toBe(records);
  });

  test('an endpoint that is not ready has no name, unless the service says so', () => {
    expect(ask('db-2.db.default.svc.cluster.local', 'A')).toBe('no such name');
    const spec = { clusterIP: 'None', publishNotReadyAddresses: true };
    const eager = byName([parseService({ metadata: { name: 'db', namespace: 'default' }, spec })]);
    const found = answer({ name: 'db-2.db.default.svc.cluster.local', type: 'A' }, { ...names, services: eager });
    expect(found).toMatchObject({ exists: true, records: [{ data: '10.0.0.3' }] });
  });
});

test.each([
  // A name without a record of the type must not look like a name that does not exist: resolvers cache that.
  ['cluster.local', 'A', ''],
  ['svc.cluster.local', 'A', ''],
  ['default.svc.cluster.local', 'A', ''],
  ['web.default.svc.cluster.local', 'MX', ''],
  ['_tcp.web.default.svc.cluster.local', 'SRV', ''],
  ['web.other.svc.cluster.local', 'A', 'no such name'],
  ['nowhere.svc.cluster.local', 'A', 'no such name'],
  ['x.web.default.svc.cluster.local', 'A', 'no such name'],
  ['_ftp._tcp.web.default.svc.cluster.local', 'SRV', 'no such name'],
  ['web.default.cluster.local', 'A', 'no such name'],
  ['x-y.default.pod.cluster.local', 'A', 'no such name'],
  ['example.com', 'A', 'elsewhere'],
  ['notcluster.local', 'A', 'elsewhere'],
  ['9.9.9.9.in-addr.arpa', 'PTR', 'elsewhere'],
])('%s %s: %s', (name, type, outcome) => {
  expect(ask(name, type)).toBe(outcome);
});
