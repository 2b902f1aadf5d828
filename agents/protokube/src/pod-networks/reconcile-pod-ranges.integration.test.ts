import { kubeClient } from '@kopsctl/kube/client.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { CloudMachine, PodRanges } from '@kopsctl/node-cloud/node-cloud.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import { findApiServers, type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leader, running, soon, until } from '../testdata/running.ts';
import { reconcilePodRanges } from './reconcile-pod-ranges.ts';

/** Older ones give Nodes no IPv6 addresses, so clusters with IPv6 alone do not run them. */
const servers = (await findApiServers()).filter(
  ({ version }) => version.localeCompare('1.24.0', 'en', { numeric: true }) >= 0,
);

/** Those that IPv6 alone changes in a plan. Its kubeconfig leads to 127.0.0.1, as those of a control plane do. */
const FLAGS = [
  '--bind-address=::',
  '--advertise-address=2001:db8:0:1::5',
  '--service-cluster-ip-range=fd00:5e4f:ce::/108',
];

const machine = (nodeName: string): CloudMachine => ({
  instanceId: `i-${nodeName}`,
  nodeName,
  address: '2001:db8:0:1::7',
  externalAddresses: ['2001:db8:0:1::7'],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
});

/** A cloud in which some machines have a range, one gets one, and one never does. */
class Ranges implements PodRanges {
  readonly #known = new Map([
    ['i-has', ['2001:db8:0:1:a::/80']],
    ['i-claims', ['2001:db8:0:1:c::/80']],
  ]);
  readonly assigned: string[] = [];

  async list(ids: readonly string[]) {
    return new Map([...this.#known].filter(([id]) => ids.includes(id)));
  }

  async assign(id: string) {
    if (id === 'i-never') throw new Error('AssignIpv6Addresses: Unsupported: not of this type');
    this.assigned.push(id);
    return '2001:db8:0:1:b::/80';
  }
}

describe.skipIf(servers.length === 0).each(servers)('an API server of Kubernetes $version', (programs) => {
  let server: RealApiServer;
  beforeEach(async () => {
    server = await startApiServer(programs, FLAGS);
  });
  afterEach(() => server.stop());

  test('nodes get the IPv6 ranges of their machines, and one machine without a range holds up no other', async () => {
    const kube = kubeClient(server.kubeconfig);
    const names = ['has', 'gets', 'never', 'claims', 'stranger'];
    for (const name of names) {
      const spec = name === 'claims' ? { podCIDR: '2001:db8:0:1:a::/80', podCIDRs: ['2001:db8:0:1:a::/80'] } : {};
      await kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec }, soon());
    }
    const machines = new Latest<CloudMachine>();
    machines.set({ revision: '1', items: names.filter((name) => name !== 'stranger').map(machine) });
    const ranges = new Ranges();
    const { says } = running((log, signal) =>
      reconcilePodRanges({ kube, machines, ranges, leadership: leader(), log }, signal),
    );
    const rangeOf = async (name: string): Promise<string | undefined> =>
      asString(asRecord(asRecord(await kube.get(`/api/v1/nodes/${name}`, soon()))['spec'])['podCIDR']);
    await until(
      async () => (await rangeOf('has')) !== undefined && (await rangeOf('gets')) !== undefined,
      () => 'both have a range',
    );
    await says('never: AssignIpv6Addresses: Unsupported: not of this type');
    await says('the cloud has 2001:db8:0:1:c::/80 for pods on this machine');
    expect([await rangeOf('has'), await rangeOf('gets')]).toEqual(['2001:db8:0:1:a::/80', '2001:db8:0:1:b::/80']);
    expect([await rangeOf('never'), await rangeOf('stranger')]).toEqual([undefined, undefined]);
    expect(ranges.assigned).toEqual(['i-gets']);
    // The API server creates it some time after it is ready.
    const service = async () => asRecord(await kube.get('/api/v1/namespaces/default/services/kubernetes', soon()));
    await until(
      async () => asString(asRecord((await service())['spec'])['clusterIP']) === 'fd00:5e4f:ce::1',
      () => 'the Service of the API has an IPv6 address',
    );
  });
});
