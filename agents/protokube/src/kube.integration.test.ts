import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { MemoryZones } from '@kopsctl/dns/testdata/memory-zones.ts';
import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { askApiServer } from './api-health/ask-api-server.ts';
import { reconcileNames } from './dns/reconcile-names.ts';
import { Leadership, reconcileLease } from './leader/reconcile-lease.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import { reconcileNodeLabels } from './node-labels/reconcile-node-labels.ts';
import { reconcileRoutes } from './routes/reconcile-routes.ts';
import { reconcilePodNetworks } from './pod-networks/reconcile-pod-networks.ts';
import { kubeClient, type KubeClient } from '@kopsctl/kube/client.ts';
import { readKubeconfig } from '@kopsctl/kube/kubeconfig.ts';
import { asRecord } from '@kopsctl/kube/json.ts';
import { findApiServer, type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { afterTest, leader, running, soon, until } from './testdata/running.ts';

const programs = await findApiServer();

const CLUSTER = 'demo.example.com';

describe.skipIf(programs === undefined)('with a real API server', () => {
  if (programs === undefined) return;
  let kubeconfig = '';
  let server: RealApiServer | undefined;
  beforeAll(async () => {
    server = await startApiServer(programs);
    ({ kubeconfig } = server);
  });
  afterAll(() => server?.stop());

  test('one of two machines leads, and the other follows at once when it stops', async () => {
    const kube = kubeClient(kubeconfig);
    const [first, second] = [new Leadership(), new Leadership()];
    const one = running((log, signal) => reconcileLease('one', first, { kube, log }, signal));
    await until(
      () => first.isHeld,
      () => 'one leads',
    );
    const two = running((log, signal) => reconcileLease('two', second, { kube, log }, signal));
    await two.says('one leads');
    expect(second.isHeld).toBe(false);
    await one.stop();
    expect(first.isHeld).toBe(false);
    await until(
      () => second.isHeld,
      () => 'two leads',
    );
    expect(two.lines.join('')).toContain('the last leader has stepped down');
  });

  test('a kubelet may ask whether the API server is ready, and learns why it is not', async () => {
    const own = (await server?.kubeconfigOf('system:node:api-1', ['system:nodes'])) ?? '';
    const ask = askApiServer(() => readKubeconfig(own));
    expect(await ask(soon())).toBeUndefined();
    const elsewhere = askApiServer(async () => ({ ...(await readKubeconfig(own)), server: 'https://127.0.0.1:1' }));
    expect(await elsewhere(soon())).toContain('ECONNREFUSED');
  });

  test('a node that claims the providerID of a control plane gets the labels of its own group', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const marks = {
      nodes: { labels: { 'node-role.kubernetes.io/node': '' }, taints: [] },
      'control-plane': { labels: { 'node-role.kubernetes.io/control-plane': '' }, taints: [] },
    };
    await store.write(`${CLUSTER}/node-marks.json`, Buffer.from(JSON.stringify(marks)), { ifAbsent: true });
    const machines = new Latest<CloudMachine>();
    const machine = { address: '10.0.0.9', running: true, externalAddresses: [] } as const;
    machines.set({
      revision: '1',
      items: [
        { ...machine, instanceId: 'i-1', nodeName: 'api', role: 'ControlPlane', instanceGroup: 'control-plane' },
        { ...machine, instanceId: 'i-2', nodeName: 'liar', role: 'Node', instanceGroup: 'nodes' },
      ],
    });
    const liar = { kind: 'Node', metadata: { name: 'liar' }, spec: { providerID: 'aws:///eu-west-1a/i-1' } };
    await kube.create('/api/v1/nodes', { apiVersion: 'v1', ...liar }, soon());
    running((log, signal) =>
      reconcileNodeLabels({ cluster: CLUSTER, store, kube, machines, leadership: leader(), log }, signal),
    );
    const labels = async (): Promise<Readonly<Record<string, unknown>>> =>
      asRecord(asRecord(asRecord(await kube.get('/api/v1/nodes/liar', soon()))['metadata'])['labels']);
    await until(
      async () => 'node-role.kubernetes.io/node' in (await labels()),
      () => 'the node is marked',
    );
    expect(await labels()).not.toHaveProperty('node-role.kubernetes.io/control-plane');
  });

  test('a node has the labels and taints of its instance group, also after somebody removed one', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const marks = {
      nodes: {
        labels: { 'node-role.kubernetes.io/node': '' },
        taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
      },
    };
    await store.write(`${CLUSTER}/node-marks.json`, Buffer.from(JSON.stringify(marks)), { ifAbsent: true });
    const machines = new Latest<CloudMachine>();
    const machine = { instanceId: 'i', nodeName: 'marked', address: '10.0.0.9', role: 'Node', running: true } as const;
    machines.set({ revision: '1', items: [{ ...machine, externalAddresses: [], instanceGroup: 'nodes' }] });
    await kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'marked' } }, soon());
    running((log, signal) =>
      reconcileNodeLabels({ cluster: CLUSTER, store, kube, machines, leadership: leader(), log }, signal),
    );
    const isMarked = async (): Promise<boolean> => {
      const node = asRecord(await kube.get('/api/v1/nodes/marked', soon()));
      const labels = asRecord(asRecord(node['metadata'])['labels']);
      const hasTaint = JSON.stringify(asRecord(node['spec'])['taints'] ?? []).includes('"dedicated"');
      return labels['node-role.kubernetes.io/node'] === '' && hasTaint;
    };
    await until(isMarked, () => 'the node is marked');
    await kube.mergePatch(
      '/api/v1/nodes/marked',
      { metadata: { labels: { 'node-role.kubernetes.io/node': null } }, spec: { taints: [] } },
      soon(),
    );
    await until(isMarked, () => 'the node is marked again');
    expect(await isMarked()).toBe(true);
  });

  test('a mark that leaves the group is removed; what a kubelet says about marks of administrators is not heeded', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const file = `${CLUSTER}/node-marks.json`;
    const write = (labels: object) => Buffer.from(JSON.stringify({ pool: { labels, taints: [] } }));
    const group = { 'kops.k8s.io/instancegroup': 'pool' };
    const { version } = await store.write(file, write({ ...group, tier: 'web' }), { ifAbsent: true });
    const machines = new Latest<CloudMachine>();
    const machine = { instanceId: 'i', nodeName: 'pooled', address: '10.0.0.8', role: 'Node', running: true } as const;
    machines.set({ revision: '1', items: [{ ...machine, externalAddresses: [], instanceGroup: 'pool' }] });
    const fips = 'example.com.node-restriction.kubernetes.io/fips';
    const claim = JSON.stringify({ labels: [fips], taints: ['quarantine:NoExecute'] });
    const metadata = {
      name: 'pooled',
      labels: { [fips]: 'true' },
      annotations: { 'kopsctl.io/instance-group-marks': claim },
    };
    const spec = { taints: [{ key: 'quarantine', effect: 'NoExecute' }] };
    await kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata, spec }, soon());
    running((log, signal) =>
      reconcileNodeLabels({ cluster: CLUSTER, store, kube, machines, leadership: leader(), log }, signal),
    );
    const node = async () => {
      const object = asRecord(await kube.get('/api/v1/nodes/pooled', soon()));
      const { taints } = asRecord(object['spec']);
      return { labels: asRecord(asRecord(object['metadata'])['labels']), taints: JSON.stringify(taints ?? []) };
    };
    await until(
      async () => (await node()).labels['tier'] === 'web',
      () => 'the node is marked',
    );
    await store.write(file, write(group), { ifVersion: version });
    machines.set({ revision: '2', items: machines.items ?? [] });
    await until(
      async () => !('tier' in (await node()).labels),
      () => 'the mark is removed',
    );
    expect((await node()).labels).toMatchObject({ ...group, [fips]: 'true' });
    expect((await node()).taints).toContain('quarantine');
  });

  test('the zone follows machines and annotated objects, and records that are no longer wanted are removed', async () => {
    const kube = kubeClient(kubeconfig);
    const zones = new MemoryZones(['example.com']);
    zones.contents
      .get('example.com')
      ?.push({ name: 'www.example.com', type: 'A', ttlSeconds: 60, values: ['192.0.2.7'] });
    const machines = new Latest<CloudMachine>();
    const volumes = new Latest<CloudVolume>();
    const at = (address: string): CloudMachine => ({
      instanceId: 'i',
      nodeName: 'cp',
      address,
      externalAddresses: [],
      role: 'ControlPlane',
      instanceGroup: 'cp',
      running: true,
    });
    const worker: CloudMachine = {
      ...at('10.0.0.20'),
      nodeName: 'worker',
      role: 'Node',
      externalAddresses: ['192.0.2.1'],
    };
    machines.set({ revision: '1', items: [at('10.0.0.1'), worker] });
    volumes.set({ revision: '1', items: [] });
    const names = { 'dns.alpha.kubernetes.io/external': 'shop.demo.example.com, www.example.com' };
    const service = '/api/v1/namespaces/default/services';
    const spec = { type: 'NodePort', ports: [{ port: 80 }] };
    const metadata = { name: 'shop', annotations: names };
    await kube.create(service, { apiVersion: 'v1', kind: 'Service', metadata, spec }, soon());
    const claim = { 'dns.alpha.kubernetes.io/external': `free.${CLUSTER}, api.internal.${CLUSTER}` };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker', annotations: claim } };
    await kube.create('/api/v1/nodes', node, soon());
    // What a kubelet says about itself.
    const addresses = [{ type: 'ExternalIP', address: '203.0.113.66' }];
    await kube.mergePatch('/api/v1/nodes/worker/status', { status: { addresses } }, soon());
    const zone: ZoneConfig = {
      kubeconfig,
      zone: 'example.com',
      provider: { name: 'Route53', isPrivate: false },
      isIpv6Only: false,
      apiInternalName: `api.internal.${CLUSTER}`,
      objects: { ingresses: true },
    };
    const env = { kube, machines, volumes, leadership: leader(), openZone: async () => zones };
    const { says } = running((log, signal) =>
      reconcileNames({ cluster: CLUSTER, volumes: [] }, zone, { ...env, log }, signal),
    );
    const found = (name: string) =>
      (zones.contents.get('example.com') ?? []).find((set) => set.name === name && set.type === 'A')?.values.join(' ');
    await until(
      () => found(`api.internal.${CLUSTER}`) === '10.0.0.1',
      () => 'the API has its name',
    );
    await until(
      () => found('shop.demo.example.com') === '192.0.2.1',
      () => 'the service has its name',
    );
    await says('record left unchanged type=A name=www.example.com');
    await says('names in annotations ignored object="node worker"');
    expect(found(`free.${CLUSTER}`)).toBeUndefined();
    machines.set({ revision: '2', items: [at('10.0.0.2'), worker] });
    await until(
      () => found(`api.internal.${CLUSTER}`) === '10.0.0.2',
      () => 'the name follows the machine',
    );
    const nothing = { metadata: { annotations: { 'dns.alpha.kubernetes.io/external': null } } };
    await kube.mergePatch(`${service}/shop`, nothing, soon());
    await until(
      () => found('shop.demo.example.com') === undefined,
      () => 'the name is gone',
    );
    expect(found('www.example.com')).toBe('192.0.2.7');
  });

  test('no two nodes get the same pod network, however late a watch tells of assignments', async () => {
    const kube = kubeClient(kubeconfig);
    const lagging: KubeClient = {
      ...kube,
      watch: (path, onEvent, signal) =>
        kube.watch(path, (event) => setTimeout(() => onEvent(event), 20 + 10 * Math.random()), signal),
    };
    const names = Array.from({ length: 40 }, (_, index) => `crowd-${index}`);
    const machines = new Latest<CloudMachine>();
    machines.set({ revision: '1', items: [] });
    const env = { kube: lagging, machines, leadership: leader() };
    running((log, signal) => reconcilePodNetworks('100.96.0.0/11', { ...env, log }, signal));
    for (const name of names) {
      await kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } }, soon());
    }
    const networks = async (): Promise<readonly unknown[]> =>
      Promise.all(
        names.map(async (name) => {
          const { spec } = asRecord(await kube.get(`/api/v1/nodes/${name}`, soon()));
          return asRecord(spec)['podCIDR'];
        }),
      );
    await until(
      async () => (await networks()).every((one) => one !== undefined),
      () => 'every node has a network',
    );
    expect(new Set(await networks()).size).toBe(names.length);
    for (const name of names) await kube.remove(`/api/v1/nodes/${name}`, soon());
  });

  test.skipIf(process.getuid?.() !== 0)('routes follow the nodes', async () => {
    const kube = kubeClient(kubeconfig);
    const netns = `protokube-test-${process.pid}`;
    const ip = ['ip', '-n', netns] as const;
    const inside = (...args: readonly string[]) => execa('ip', ['-n', netns, ...args]);
    await execa('ip', ['netns', 'add', netns]);
    afterTest(async () => {
      await execa('ip', ['netns', 'delete', netns]);
    });
    await inside('link', 'set', 'lo', 'up');
    await inside('address', 'add', '172.30.0.2/24', 'dev', 'lo');
    const routes = async (): Promise<string> => (await inside('route', 'show', 'proto', '97')).stdout;
    const machines = new Latest<CloudMachine>();
    const listed: CloudMachine[] = [];
    const node = async (name: string, address: string, changes: object = {}): Promise<void> => {
      const machine = { instanceId: name, nodeName: name, address, externalAddresses: [], running: true } as const;
      listed.push({ ...machine, role: 'Node', instanceGroup: 'nodes' });
      machines.set({ revision: name, items: [...listed] });
      await kube.create('/api/v1/nodes', { kind: 'Node', metadata: { name }, ...changes }, soon());
      // What a kubelet says about itself.
      const status = { addresses: [{ type: 'InternalIP', address: '172.30.0.66' }] };
      await kube.mergePatch(`/api/v1/nodes/${name}/status`, { status }, soon());
    };
    const env = { kube, machines, leadership: leader() };
    const leading = running((log, signal) => reconcilePodNetworks('100.98.0.0/16', { ...env, log }, signal));
    await node('me', '172.30.0.2', { spec: { podCIDR: '100.98.200.0/24', podCIDRs: ['100.98.200.0/24'] } });
    await node('b', '172.30.0.3', { spec: { podCIDR: '100.98.201.0/24', podCIDRs: ['100.98.201.0/24'] } });
    running((log, signal) => reconcileRoutes('me', { kube, ip, log }, signal));
    await until(
      async () => (await routes()).includes('100.98.201.0/24 via 172.30.0.3'),
      () => 'a route to b',
    );
    await node('thief', '172.30.0.7', { spec: { podCIDR: '169.254.169.0/24', podCIDRs: ['169.254.169.0/24'] } });
    await leading.says('pod network refused node=thief');
    const events = '/api/v1/namespaces/default/events?fieldSelector=reason%3DPodNetworkRefused';
    await until(
      async () => JSON.stringify(await kube.get(events, soon())).includes('nothing is sent to the pods of thief'),
      () => 'an event about the node whose network is refused',
    );
    await node('c', '172.30.0.4');
    await until(
      async () => /^100\.98\.\d+\.0\/24 via 172\.30\.0\.4 /m.test(await routes()),
      () => 'a route to c',
    );
    expect(await routes()).not.toContain('100.98.200.0/24');
    expect(await routes()).not.toMatch(/169\.254|172\.30\.0\.(7|66)/);
    await inside('route', 'add', '10.1.0.0/16', 'via', '172.30.0.9');
    await execa(programs.kubectl, ['--kubeconfig', kubeconfig, 'delete', 'node', 'b']);
    await until(
      async () => !(await routes()).includes('100.98.201.0/24'),
      () => 'the route to b is gone',
    );
    expect((await inside('route')).stdout).toContain('10.1.0.0/16');
  });
});
