import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CloudMachine, CloudVolume } from '@kopsctl/clouds/node-cloud.ts';
import { MemoryZones } from '@kopsctl/dns/testdata/memory-zones.ts';
import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import { createCertificateAuthority, createServiceAccountKeyset } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { primary } from '@kopsctl/pki/keyset.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { reconcileAddons } from '../addons/reconcile-addons.ts';
import { reconcileNames } from '../dns/reconcile-names.ts';
import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import { Leadership, reconcileLease } from '../leader/reconcile-lease.ts';
import { makeLog, type Log } from '@kopsctl/agent/log.ts';
import { Latest } from '../latest.ts';
import { reconcileNodeLabels } from '../node-labels/reconcile-node-labels.ts';
import { reconcileRoutes } from '../routes/reconcile-routes.ts';
import { reconcileToken } from '../token/reconcile-token.ts';
import { kubeClient, type KubeClient } from './client.ts';
import { asRecord } from './json.ts';

const ETCD = join(process.env['KOPSCTL_TEST_ETCD'] ?? '/var/cache/kopsctl/test-peers/etcd/usr/bin', 'etcd');
const API_SERVER =
  process.env['KOPSCTL_TEST_KUBE_APISERVER'] ??
  globSync('/var/cache/kopsctl/kubernetes/*/kube-apiserver').sort().at(-1) ??
  '';
const KUBECTL = join(dirname(API_SERVER), 'kubectl');
const canRun = existsSync(ETCD) && existsSync(KUBECTL) && existsSync(API_SERVER);
if (!canRun) {
  console.log(
    `skipped: needs etcd (${ETCD}) and a kube-apiserver (\`npm run assets\` builds one, or set KOPSCTL_TEST_KUBE_APISERVER)`,
  );
}
const canRoute = canRun && process.getuid?.() === 0;

const CLUSTER = 'demo.example.com';
const processes: ChildProcess[] = [];
let folder = '';
let kubeconfig = '';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

async function start(binary: string, args: readonly string[]): Promise<void> {
  await using log = await open(join(folder, 'servers.log'), 'a');
  const child = spawn(binary, args, { stdio: ['ignore', log.fd, log.fd] });
  processes.push(child);
  await once(child, 'spawn');
}

/** A real API server on a real etcd, and a kubeconfig with a certificate of the group system:masters. */
beforeAll(async () => {
  if (!canRun) return;
  folder = await mkdtemp(join(tmpdir(), 'protokube-kube-'));
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs });
  const serviceAccount = primary(await createServiceAccountKeyset({ nowMs }));
  const server = await issueLeaf({
    authority,
    commonName: 'kube-apiserver',
    ipAddresses: ['127.0.0.1'],
    usages: ['server'],
    validityDays: 1,
    nowMs,
  });
  const admin = await issueLeaf({
    authority,
    commonName: 'protokube',
    organizations: ['system:masters'],
    usages: ['client'],
    validityDays: 1,
    nowMs,
  });
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const ca = await write('ca.crt', primary(authority).certificatePem);
  const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  await start(ETCD, [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
  ]);
  const signingKey = await write('sa.key', serviceAccount.privateKeyPem);
  await start(API_SERVER, [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${apiPort}`,
    `--client-ca-file=${ca}`,
    `--tls-cert-file=${await write('server.crt', server.certificatePem)}`,
    `--tls-private-key-file=${await write('server.key', server.privateKeyPem)}`,
    `--service-account-key-file=${await write('sa.crt', serviceAccount.certificatePem)}`,
    `--service-account-signing-key-file=${signingKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=100.64.0.0/16',
    '--authorization-mode=RBAC',
    '--enable-bootstrap-token-auth',
  ]);
  await write('client.crt', admin.certificatePem);
  await write('client.key', admin.privateKeyPem);
  kubeconfig = await write(
    'kubeconfig',
    `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://127.0.0.1:${apiPort}", certificate-authority: ca.crt}}]
users: [{name: u, user: {client-certificate: client.crt, client-key: client.key}}]
`,
  );
  const kube = kubeClient(kubeconfig);
  const deadline = performance.now() + 60_000;
  const isReady = (): Promise<boolean> =>
    kube.get('/api/v1/namespaces/kube-system', AbortSignal.timeout(2000)).then(
      (found) => found !== undefined,
      () => false,
    );
  while (!(await isReady())) {
    const hasEnded = processes.some(({ exitCode }) => exitCode !== null);
    if (hasEnded || performance.now() > deadline) {
      throw new Error(
        `the API server did not start:\n${(await readFile(join(folder, 'servers.log'), 'utf8')).slice(-2000)}`,
      );
    }
    await sleep(200);
  }
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

afterAll(async () => {
  for (const child of processes.toReversed()) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

/** Runs a reconciler as the agent does; what it says can be waited for. */
function running(run: (log: Log, signal: AbortSignal) => Promise<void>) {
  const lines: string[] = [];
  const ended = new AbortController();
  const log = makeLog((line) => lines.push(line), true, 'protokube');
  const done = keepRunning((signal) => run(log, signal), ended.signal, log);
  const stop = async (): Promise<void> => {
    ended.abort();
    await done;
  };
  stops.push(stop);
  const says = (text: string): Promise<void> =>
    until(
      () => lines.some((line) => line.includes(text)),
      () => `"${text}" in:\n${lines.join('')}`,
    );
  return { lines, stop, says };
}

async function until(isTrue: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`never came true: ${what()}`);
    await sleep(50);
  }
}

const soon = (): AbortSignal => AbortSignal.timeout(10_000);

async function annotations(kube: KubeClient): Promise<Readonly<Record<string, unknown>>> {
  const namespace = asRecord(await kube.get('/api/v1/namespaces/kube-system', soon()));
  return asRecord(asRecord(namespace['metadata'])['annotations']);
}

/** A leader, already elected. */
function leader(): Leadership {
  const leadership = new Leadership();
  leadership.begin();
  return leadership;
}

describe.skipIf(!canRun)('with a real API server', () => {
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

  test('addons are verified, applied, recorded and repaired, and a bad one stops no other', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const manifest = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {color: blue}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: carts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Cart, plural: carts}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
`;
    const hash = createHash('sha256').update(manifest).digest('hex');
    const channel = `kind: Addons
metadata: {name: bootstrap}
spec:
  addons:
  - {name: bad, manifest: bad/v1.yaml, manifestHash: ${'0'.repeat(64)}, selector: {k8s-addon: bad}}
  - {name: shop, manifest: shop/v1.yaml, manifestHash: ${hash}, id: v1, selector: {k8s-addon: shop}}
`;
    await store.write(`${CLUSTER}/addons/bootstrap-channel.yaml`, Buffer.from(channel), { ifAbsent: true });
    await store.write(`${CLUSTER}/addons/bad/v1.yaml`, Buffer.from('tampered'), { ifAbsent: true });
    await store.write(`${CLUSTER}/addons/shop/v1.yaml`, Buffer.from(manifest), { ifAbsent: true });
    const run = (log: Log, signal: AbortSignal): Promise<void> =>
      reconcileAddons(
        ['addons/bootstrap-channel.yaml'],
        { cluster: CLUSTER, store, kube, leadership: leader(), log },
        signal,
      );
    const first = running(run);
    await first.says('apply shop: it is new (3 objects)');
    expect(first.lines.join('')).toContain('addons/bad/v1.yaml has the SHA-256');
    const inventory = asRecord(
      asRecord(await kube.get('/api/v1/namespaces/kube-system/configmaps/kopsctl-addons', soon()))['data'],
    );
    expect(JSON.parse(String(inventory['bad']))).toMatchObject({ failure: expect.stringContaining('has the SHA-256') });
    const events = await kube.get('/api/v1/namespaces/kube-system/events?fieldSelector=reason%3DAddonFailed', soon());
    expect(JSON.stringify(events)).toContain('bad: cannot apply the addon bad');
    const settings = '/api/v1/namespaces/shop/configmaps/settings';
    expect(await kube.get(settings, soon())).toMatchObject({ data: { color: 'blue' } });
    await until(
      async () => 'addons.k8s.io/shop' in (await annotations(kube)),
      () => 'the record',
    );
    expect(JSON.parse(String((await annotations(kube))['addons.k8s.io/shop']))).toMatchObject({
      id: 'v1',
      manifestHash: hash,
    });
    await first.stop();

    await kube.mergePatch(settings, { data: { color: 'red' } }, soon());
    running(run);
    const color = async (): Promise<unknown> => asRecord(asRecord(await kube.get(settings, soon()))['data'])['color'];
    await until(
      async () => (await color()) === 'blue',
      () => 'the repair of what was changed by hand',
    );
  });

  test('what an addon has no more, and an addon that is gone, is taken away; what others made anew stays', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const configMap = (name: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: kube-system}\ndata: {of: addon}\n`;
    const path = (name: string) => `/api/v1/namespaces/kube-system/configmaps/${name}`;
    const write = async (file: string, text: string): Promise<void> => {
      const place = `${CLUSTER}/addons/${file}`;
      const there = await store.read(place);
      await store.write(
        place,
        Buffer.from(text),
        there === undefined ? { ifAbsent: true } : { ifVersion: there.version },
      );
    };
    const publish = async (addons: Readonly<Record<string, readonly string[]>>): Promise<void> => {
      const entries = await Promise.all(
        Object.entries(addons).map(async ([name, objects]) => {
          const text = objects.map(configMap).join('---\n');
          await write(`${name}.yaml`, text);
          const hash = createHash('sha256').update(text).digest('hex');
          return `  - {name: ${name}, manifest: ${name}.yaml, manifestHash: ${hash}}\n`;
        }),
      );
      await write('prune-channel.yaml', `kind: Addons\nspec:\n  addons:\n${entries.join('')}`);
    };
    const run = (log: Log, signal: AbortSignal): Promise<void> =>
      reconcileAddons(
        ['addons/prune-channel.yaml'],
        { cluster: CLUSTER, store, kube, leadership: leader(), log },
        signal,
      );

    await publish({ one: ['a', 'b', 'moved'], two: ['c', 'foreign'] });
    const before = running(run);
    await before.says('apply two: it is new');
    await before.stop();
    // Somebody else takes the name of one of them.
    await kube.remove(path('foreign'), soon());
    const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' } };
    await kube.create('/api/v1/namespaces/kube-system/configmaps', foreign, soon());

    await publish({ one: ['b'], three: ['moved'] });
    const after = running(run);
    await after.says('removed ConfigMap/c: two has it no more');
    await until(
      async () => !('addons.k8s.io/two' in (await annotations(kube))),
      () => 'the addon is forgotten',
    );
    const left = ['a', 'b', 'c', 'moved', 'foreign'].map(
      async (name) => (await kube.get(path(name), soon())) !== undefined,
    );
    expect(await Promise.all(left)).toEqual([false, true, false, true, true]);
  });

  test('a node carries the labels and taints of its instance group, also after somebody took one away', async () => {
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

  test('the zone follows machines and what objects are annotated with, and what they leave goes', async () => {
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
    machines.set({ revision: '1', items: [at('10.0.0.1')] });
    volumes.set({ revision: '1', items: [] });
    const names = { 'dns.alpha.kubernetes.io/external': 'shop.demo.example.com, www.example.com' };
    const service = '/api/v1/namespaces/default/services';
    const spec = { type: 'NodePort', ports: [{ port: 80 }] };
    const metadata = { name: 'shop', annotations: names };
    await kube.create(service, { apiVersion: 'v1', kind: 'Service', metadata, spec }, soon());
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' } };
    await kube.create('/api/v1/nodes', node, soon());
    const addresses = [{ type: 'ExternalIP', address: '192.0.2.1' }];
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
    await says('A www.example.com stays as it is');
    machines.set({ revision: '2', items: [at('10.0.0.2')] });
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

  test('the bootstrap token of the store is good for a request, once somebody signs what it asks for', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const data = Buffer.from('abcdef.0123456789abcdef').toString('base64');
    await store.write(`${CLUSTER}/secrets/kubelet-bootstrap-token`, Buffer.from(JSON.stringify({ Data: data })), {
      ifAbsent: true,
    });
    const env = { cluster: CLUSTER, store, kube, leadership: leader() };
    const token = running((log, signal) => reconcileToken('kubelet-bootstrap-token', { ...env, log }, signal));
    expect(await kube.get('/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef', soon())).toBeUndefined();
    await kube.create(
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases',
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'kube-controller-manager', namespace: 'kube-system' },
        spec: { holderIdentity: 'a-controller-manager' },
      },
      soon(),
    );
    await token.says('nodes can join with the token abcdef');
    const review = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'abcdef.0123456789abcdef' },
    };
    let answer: unknown;
    await until(
      async () => {
        answer = asRecord(await kube.create('/apis/authentication.k8s.io/v1/tokenreviews', review, soon()))['status'];
        return asRecord(answer)['authenticated'] === true;
      },
      () => 'the token authenticates',
    );
    expect(answer).toMatchObject({ user: { groups: expect.arrayContaining(['system:bootstrappers:kops']) } });
  });

  test.skipIf(!canRoute)('routes follow the nodes', async () => {
    const kube = kubeClient(kubeconfig);
    const netns = `protokube-test-${process.pid}`;
    const ip = ['ip', '-n', netns] as const;
    const inside = (...args: readonly string[]) => execa('ip', ['-n', netns, ...args]);
    await execa('ip', ['netns', 'add', netns]);
    stops.push(async () => {
      await execa('ip', ['netns', 'delete', netns]);
    });
    await inside('link', 'set', 'lo', 'up');
    await inside('address', 'add', '172.30.0.2/24', 'dev', 'lo');
    const routes = async (): Promise<string> => (await inside('route', 'show', 'proto', '97')).stdout;
    const node = async (name: string, address: string, podCIDR: string): Promise<void> => {
      await kube.create(
        '/api/v1/nodes',
        { kind: 'Node', metadata: { name }, spec: { podCIDR, podCIDRs: [podCIDR] } },
        soon(),
      );
      const status = { addresses: [{ type: 'InternalIP', address }] };
      await kube.mergePatch(`/api/v1/nodes/${name}/status`, { status }, soon());
    };
    await node('me', '172.30.0.2', '100.96.0.0/24');
    await node('b', '172.30.0.3', '100.96.1.0/24');
    running((log, signal) => reconcileRoutes('me', { kube, ip, log }, signal));
    await until(
      async () => (await routes()).includes('100.96.1.0/24 via 172.30.0.3'),
      () => 'a route to b',
    );
    await node('c', '172.30.0.4', '100.96.2.0/24');
    await until(
      async () => (await routes()).includes('100.96.2.0/24 via 172.30.0.4'),
      () => 'a route to c',
    );
    expect(await routes()).not.toContain('100.96.0.0/24');
    await inside('route', 'add', '10.1.0.0/16', 'via', '172.30.0.9');
    await execa(KUBECTL, ['--kubeconfig', kubeconfig, 'delete', 'node', 'b']);
    await until(
      async () => !(await routes()).includes('100.96.1.0/24'),
      () => 'the route to b is gone',
    );
    expect((await inside('route')).stdout).toContain('10.1.0.0/16');
  });
});
