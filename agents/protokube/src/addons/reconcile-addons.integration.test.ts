import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '@kopsctl/agent/log.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KubeClient, kubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord } from '@kopsctl/kube/json.ts';
import { findApiServer, type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { afterTest, leader, running, soon, until } from '../testdata/running.ts';
import { type AddonsEnv, reconcileAddons } from './reconcile-addons.ts';

const CLUSTER = 'demo.example.com';

async function annotations(kube: KubeClient): Promise<Readonly<Record<string, unknown>>> {
  const namespace = asRecord(await kube.get('/api/v1/namespaces/kube-system', soon()));
  return asRecord(asRecord(namespace['metadata'])['annotations']);
}

function envOf(store: StateStore, kube: KubeClient, log: Log): AddonsEnv {
  const facts = { account: () => Promise.resolve('123456789012') };
  const openStore = (url: string) => Promise.reject(new Error(`nobody opens ${url}`));
  return { cluster: CLUSTER, store, openStore, kube, facts, leadership: leader(), log };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const configMap = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: kube-system${more}}\ndata: {of: addon}\n`;
const pathOf = (name: string): string => `/api/v1/namespaces/kube-system/configmaps/${name}`;

/** Replaces a file of the store. */
async function put(store: StateStore, file: string, text: string): Promise<void> {
  const place = `${CLUSTER}/${file}`;
  const there = await store.read(place);
  const condition = there === undefined ? { ifAbsent: true as const } : { ifVersion: there.version };
  await store.write(place, Buffer.from(text), condition);
}

const programs = await findApiServer();

describe.skipIf(programs === undefined)('with a real API server', () => {
  if (programs === undefined) return;
  let kubeconfig = '';
  let server: RealApiServer | undefined;
  beforeAll(async () => {
    server = await startApiServer(programs);
    ({ kubeconfig } = server);
  });
  afterAll(() => server?.stop());

  test('addons are verified, applied, recorded and repaired, and a bad one does not stop the others', async () => {
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
    let outcome: ReadonlyMap<string, boolean> = new Map();
    const onOutcome = (isApplied: typeof outcome) => (outcome = isApplied);
    const run = (log: Log, signal: AbortSignal): Promise<void> =>
      reconcileAddons(['addons/bootstrap-channel.yaml'], { ...envOf(store, kube, log), onOutcome }, signal);
    const first = running(run);
    await first.says('addon applied summary="apply shop: new" objects=3');
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
    await until(
      () => outcome.get('shop') === true && outcome.get('bad') === false,
      () => 'what the metrics say',
    );
    await first.stop();

    await kube.mergePatch(settings, { data: { color: 'red' } }, soon());
    running(run);
    const color = async (): Promise<unknown> => asRecord(asRecord(await kube.get(settings, soon()))['data'])['color'];
    await until(
      async () => (await color()) === 'blue',
      () => 'the repair of what was changed by hand',
    );
  });

  test('objects that left an addon, and addons that left the channel, are removed; an object of another client stays', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const configMap = (name: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: kube-system}\ndata: {of: addon}\n`;
    const path = (name: string) => `/api/v1/namespaces/kube-system/configmaps/${name}`;
    const write = async (file: string, text: string): Promise<void> => {
      const place = `${CLUSTER}/addons/${file}`;
      const there = await store.read(place);
      await store.write(place, Buffer.from(text), ifUnchanged(there?.version));
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
      reconcileAddons(['addons/prune-channel.yaml'], envOf(store, kube, log), signal);

    await publish({ one: ['a', 'b', 'moved'], two: ['c', 'foreign'] });
    const before = running(run);
    await before.says('apply two: new');
    await before.stop();
    // Another client creates an object with the name of one of them.
    await kube.remove(path('foreign'), soon());
    const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' } };
    await kube.create('/api/v1/namespaces/kube-system/configmaps', foreign, soon());

    await publish({ one: ['b'], three: ['moved'] });
    const after = running(run);
    await after.says('object removed: no longer in the addon addon=two object=ConfigMap/c');
    await until(
      async () => !('addons.k8s.io/two' in (await annotations(kube))),
      () => 'the addon is forgotten',
    );
    const left = ['a', 'b', 'c', 'moved', 'foreign'].map(
      async (name) => (await kube.get(path(name), soon())) !== undefined,
    );
    expect(await Promise.all(left)).toEqual([false, true, false, true, true]);
  });

  test('channels of users are applied, and a bad one does not stop the built-in one', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const folder = await mkdtemp(join(tmpdir(), 'channel-'));
    afterTest(() => rm(folder, { recursive: true }));
    const theirs = configMap('of-a-user');
    await writeFile(join(folder, 'tool.yaml'), theirs);
    await writeFile(
      join(folder, 'channel.yaml'),
      `kind: Addons
spec:
  addons:
  - {name: tool, manifest: tool.yaml, manifestHash: ${sha256(theirs)}, kubernetesVersion: '>=1.20.0'}
  - {name: later, manifest: tool.yaml, manifestHash: ${sha256(theirs)}, kubernetesVersion: '>=9.0.0'}
  - {name: unverified, manifest: tool.yaml}
  - {name: built-in, manifest: tool.yaml, manifestHash: ${sha256(theirs)}}
`,
    );
    const ours = configMap('of-ours');
    await put(store, 'addons/ours.yaml', ours);
    await put(
      store,
      'addons/users-channel.yaml',
      `spec: {addons: [{name: built-in, manifest: ours.yaml, manifestHash: ${sha256(ours)}}]}`,
    );
    const users = pathToFileURL(join(folder, 'channel.yaml')).href;
    const channels = ['addons/users-channel.yaml', 'addons/none.yaml', users];
    const run = running((log, signal) => reconcileAddons(channels, envOf(store, kube, log), signal));
    await run.says('addon applied summary="apply tool: new" objects=1');
    expect(await kube.get(pathOf('of-ours'), soon())).toBeDefined();
    expect(await kube.get(pathOf('of-a-user'), soon())).toBeDefined();
    await run.says('cannot read demo.example.com/addons/none.yaml: it is not in memory:');
    await run.says('(unverified): manifestHash is missing, so the manifest cannot be verified');
    await run.says('built-in is an addon of addons/users-channel.yaml too; choose another name');
    expect(run.lines.join('')).not.toContain('later');
    const inventory = asRecord(asRecord(await kube.get(pathOf('kopsctl-addons'), soon()))['data']);
    expect(JSON.parse(String(inventory['channel-addons-none.yaml']))).toMatchObject({
      failure: expect.stringContaining('it is not in'),
    });
    await run.stop();

    // Once the channel is corrected, the failures are gone, and so is the addon that left the channel.
    await writeFile(join(folder, 'channel.yaml'), 'kind: Addons\nspec: {addons: []}\n');
    await put(store, 'addons/none.yaml', 'kind: Addons\nspec: {addons: []}\n');
    const mended = running((log, signal) => reconcileAddons(channels, envOf(store, kube, log), signal));
    await mended.says('object removed: no longer in the addon addon=tool object=ConfigMap/of-a-user');
    await until(
      async () =>
        !('channel-addons-none.yaml' in asRecord(asRecord(await kube.get(pathOf('kopsctl-addons'), soon()))['data'])),
      () => 'the failure is forgotten',
    );
    expect(await kube.get(pathOf('of-ours'), soon())).toBeDefined();
  });

  test('a channel that cannot be read removes nothing', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const text = configMap('stays');
    await put(store, 'addons/stays.yaml', text);
    await put(store, 'addons/empty.yaml', 'spec: {addons: []}');
    await put(
      store,
      'addons/lost.yaml',
      `spec: {addons: [{name: stays, manifest: stays.yaml, manifestHash: ${sha256(text)}}]}`,
    );
    const channels = ['addons/empty.yaml', 'addons/lost.yaml'];
    const first = running((log, signal) => reconcileAddons(channels, envOf(store, kube, log), signal));
    await first.says('apply stays: new');
    await first.stop();
    await put(store, 'addons/lost.yaml', 'spec: [');
    const second = running((log, signal) => reconcileAddons(channels, envOf(store, kube, log), signal));
    await second.says('channel=addons/lost.yaml ');
    await second.stop();
    // Another channel cannot take over its addons either.
    const other = configMap('of-an-impostor');
    await put(store, 'addons/other.yaml', other);
    await put(
      store,
      'addons/impostor.yaml',
      `spec: {addons: [{name: stays, manifest: other.yaml, manifestHash: ${sha256(other)}}]}`,
    );
    const third = running((log, signal) =>
      reconcileAddons([...channels, 'addons/impostor.yaml'], envOf(store, kube, log), signal),
    );
    await third.says('stays is an addon of addons/lost.yaml too');
    await third.stop();
    expect(await kube.get(pathOf('of-an-impostor'), soon())).toBeUndefined();
    expect(await kube.get(pathOf('stays'), soon())).toBeDefined();
  });

  test('what kops applies is left to its control planes until the last of them is gone, and not removed', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const control = { 'node-role.kubernetes.io/control-plane': '' };
    const create = (name: string, metadata: object) =>
      kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, ...metadata } }, soon());
    await create('of-kops', { labels: control });
    await create('of-kopsctl', { labels: control, annotations: { 'kopsctl.io/protokube': '{}' } });
    const [shared, own] = [configMap('shared'), configMap('own')];
    await put(store, 'addons/kopsctl/shared.yaml', shared);
    await put(store, 'addons/kopsctl/own.yaml', own);
    await put(
      store,
      'addons/kopsctl/bootstrap-channel.yaml',
      `spec:
  addons:
  - {name: shared, manifest: shared.yaml, manifestHash: ${sha256(shared)}, needsRollingUpdate: all}
  - {name: own, manifest: own.yaml, manifestHash: ${sha256(own)}}
`,
    );
    await put(store, 'addons/bootstrap-channel.yaml', 'spec: {addons: [{name: shared}, {name: kops-controller}]}');
    const recorded = { metadata: { annotations: { 'addons.k8s.io/shared': '{"manifestHash":"of kops"}' } } };
    await kube.mergePatch('/api/v1/namespaces/kube-system', recorded, soon());
    const run = (log: Log, signal: AbortSignal): Promise<void> => {
      const env = { ...envOf(store, kube, log), yieldsTo: 'addons/bootstrap-channel.yaml' };
      return reconcileAddons(['addons/kopsctl/bootstrap-channel.yaml'], env, signal);
    };
    const first = running(run);
    await first.says('addons left to control planes of kops nodes=of-kops addons=shared,kops-controller');
    await first.says('apply own: new');
    await first.stop();
    expect(await kube.get(pathOf('shared'), soon())).toBeUndefined();

    await kube.remove('/api/v1/nodes/of-kops', soon());
    const second = running(run);
    await second.says('addon applied summary="apply shared');
    await second.stop();
    expect(second.lines.join('')).not.toContain('nodes marked');

    // kops took the cluster back, and brought a control plane of its own.
    await create('of-kops', { labels: control });
    const third = running(run);
    await third.says('addons left to control planes of kops');
    await third.stop();
    expect(await kube.get(pathOf('shared'), soon())).toBeDefined();
    await Promise.all(['of-kops', 'of-kopsctl'].map((name) => kube.remove(`/api/v1/nodes/${name}`, soon())));
  });

  test('a changed addon marks the nodes to replace, a new one marks none', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    for (const [name, label] of [
      ['cp-1', 'node-role.kubernetes.io/control-plane'],
      ['worker-1', 'node-role.kubernetes.io/node'],
    ] as const) {
      const metadata = { name, labels: { [label]: '' } };
      await kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata }, soon());
    }
    const publish = async (more: string): Promise<void> => {
      const text = configMap('network', more);
      await put(store, 'addons/network.yaml', text);
      const entry = `{name: network, manifest: network.yaml, manifestHash: ${sha256(text)}, needsRollingUpdate: workers}`;
      await put(store, 'addons/c.yaml', `spec: {addons: [${entry}]}`);
    };
    const marked = async (): Promise<readonly unknown[]> =>
      asArray(asRecord(await kube.get('/api/v1/nodes', soon()))['items'])
        .map((node) => asRecord(asRecord(node)['metadata']))
        .filter((metadata) => 'kops.k8s.io/needs-update' in asRecord(metadata['annotations']))
        .map(({ name }) => name);
    const run = (log: Log, signal: AbortSignal): Promise<void> =>
      reconcileAddons(['addons/c.yaml'], envOf(store, kube, log), signal);
    await publish('');
    const first = running(run);
    await first.says('apply network: new');
    await first.stop();
    expect(await marked()).toEqual([]);
    await publish(', labels: {release: "2"}');
    const second = running(run);
    await second.says('nodes marked to be replaced addon=network nodes=1');
    await second.stop();
    expect(await marked()).toEqual(['worker-1']);
  });

  test('objects with labels to prune are removed, and facts of the cloud are filled in', async () => {
    const kube = kubeClient(kubeconfig);
    const store = createMemoryStore();
    const labelled = (name: string, addon: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'kube-system', labels: { 'addon.kops.k8s.io/name': addon } },
    });
    for (const object of [labelled('left-over', 'queue'), labelled('of-another', 'other')]) {
      await kube.create('/api/v1/namespaces/kube-system/configmaps', object, soon());
    }
    const text =
      `${configMap('queue', ', labels: {addon.kops.k8s.io/name: queue}')}  url: https://sqs/@{account}/q\n`.replace(
        'data: {of: addon}\n',
        'data:\n',
      );
    await put(store, 'addons/queue.yaml', text);
    await put(
      store,
      'addons/q.yaml',
      `spec:
  addons:
  - name: queue
    manifest: queue.yaml
    manifestHash: ${sha256(text)}
    needsFacts: [account]
    selector: {addon.kops.k8s.io/name: queue}
    prune: {kinds: [{kind: ConfigMap, namespaces: [kube-system]}]}
`,
    );
    const run = running((log, signal) => reconcileAddons(['addons/q.yaml'], envOf(store, kube, log), signal));
    await run.says('object removed: no longer in the manifest addon=queue object=ConfigMap/left-over');
    await run.says('apply queue: new');
    expect(await kube.get(pathOf('queue'), soon())).toMatchObject({ data: { url: 'https://sqs/123456789012/q' } });
    expect(await kube.get(pathOf('left-over'), soon())).toBeUndefined();
    expect(await kube.get(pathOf('of-another'), soon())).toBeDefined();
  });
});
