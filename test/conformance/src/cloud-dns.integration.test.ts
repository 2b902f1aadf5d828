import { openNodeDns } from '@kopsctl/clouds/node.ts';
import { ownerOfCluster } from '@kopsctl/dns/owner-mark.ts';
import { reconcileDns } from '@kopsctl/dns/reconcile-dns.ts';
import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import type { ZoneProvider } from '@kopsctl/node-plan/agent-config.ts';
import { afterEach, expect, test } from 'vitest';
import { metadataOf, serveGceMetadata } from './gce-machine.ts';
import type { ManagedZone } from './google-dns.ts';
import { startGoogle } from './google-server.ts';

const PROJECT = 'acme';
const CLUSTER = 'demo.example.com';
const machine = { project: PROJECT, zone: 'us-east1-b', name: 'cp-1', address: '10.0.0.1', token: 'ya29.cp' };
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const zone = (name: string, ...networks: readonly string[]): ManagedZone => ({
  name,
  dnsName: 'example.com.',
  ...(networks.length > 0 && { networks }),
  rrsets: [{ name: 'example.com.', type: 'SOA', ttl: 21_600, rrdatas: ['ns.example.com. a. 1 2 3 4 5'] }],
});

/** A machine in the network `prod`, and the zones of its project. */
async function start(zones: readonly ManagedZone[], provider: ZoneProvider, named = 'example.com') {
  const metadata = await serveGceMetadata({
    ...metadataOf(machine),
    'instance/network-interfaces/0/network': 'projects/123456789012/networks/prod',
  });
  const google = await startGoogle({ may: (token) => token === machine.token });
  google.dns.zones.push(...zones);
  stops.push(
    () => metadata.stop(),
    () => google.stop(),
  );
  const opened = await openNodeDns(
    'gce',
    { kubeconfig: '', zone: named, provider, isIpv6Only: false },
    {
      env: { GCE_METADATA_HOST: metadata.url, CLOUDSDK_API_ENDPOINT_OVERRIDES_DNS: `${google.url}/dns/v1/` },
      readSecret: () => Promise.reject(new Error('no secret is needed')),
      signal: AbortSignal.timeout(60_000),
    },
  );
  return { google, opened };
}

const reconcile = (provider: DnsProvider, address: string) =>
  reconcileDns(
    provider,
    {
      clusterName: CLUSTER,
      owner: ownerOfCluster(CLUSTER),
      wanted: ['a', 'b', 'c'].map((member) => ({
        name: `etcd-${member}.internal.${CLUSTER}`,
        type: 'A',
        ttlSeconds: 60,
        values: [address],
      })),
    },
    AbortSignal.timeout(30_000),
  );

const addresses = ({ rrsets }: ManagedZone) =>
  rrsets.filter(({ type }) => type === 'A').flatMap(({ rrdatas }) => rrdatas);

test('a machine maintains the names in the private zone of its network with its own permissions', async () => {
  const [open, other, ours] = [zone('open'), zone('other', 'test'), zone('ours', 'test', 'prod')];
  const { google, opened } = await start([open, other, ours], { name: 'CloudDNS', isPrivate: true });
  await reconcile(opened, '10.0.0.1');
  expect([open, other, ours].map(addresses)).toEqual([[], [], Array(3).fill('10.0.0.1')]);
  expect((await reconcile(opened, '10.0.0.1')).done).toEqual([]);

  google.loseAnswers(1);
  await reconcile(opened, '10.0.0.2');
  expect(addresses(ours)).toEqual(Array(3).fill('10.0.0.2'));
  expect(google.violations).toEqual([]);
});

test('a public zone can be given by its name in Google Cloud', async () => {
  const [open, inside] = [zone('open'), zone('inside', 'prod')];
  const { opened } = await start([open, inside], { name: 'CloudDNS', project: PROJECT, isPrivate: false }, 'open');
  await reconcile(opened, '10.0.0.1');
  expect([open, inside].map(addresses)).toEqual([Array(3).fill('10.0.0.1'), []]);
});

test('the error about a missing zone lists the existing ones', async () => {
  const { opened } = await start([zone('open')], { name: 'CloudDNS', isPrivate: true });
  await expect(opened.zones()).rejects.toMatchObject({
    why: 'it is not one of the private zones of the network prod of the project acme: none',
  });
});
