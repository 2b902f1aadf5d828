import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteCluster } from '@kopsctl/actions/delete-cluster.ts';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { editObject } from '@kopsctl/actions/edit-object.ts';
import { explainValue } from '@kopsctl/actions/explain-value.ts';
import { getMachines } from '@kopsctl/actions/get-machines.ts';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { updateCluster } from '@kopsctl/actions/update-cluster.ts';
import { runLine } from '@kopsctl/cli/testing/run-line.ts';
import { openNodeCloud } from '@kopsctl/clouds/node.ts';
import { STORE_LAYOUT } from '@kopsctl/state-store/layout.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openToyService } from './toy-cloud/node/toy-things.ts';

// What a cloud of one's own adds to each of the three lists of clouds: all that it changes outside of its folder.
vi.mock(import('@kopsctl/clouds/control-registry.ts'), async (original) => {
  const { toy } = await import('./toy-cloud/control/toy.ts');
  // The toy stands in for the cloud whose name it has: the API knows no other.
  return { CLOUDS: [...(await original()).CLOUDS.filter(({ name }) => name !== toy.name), toy] };
});
vi.mock(import('@kopsctl/clouds/node-registry.ts'), async (original) => {
  const { NODE_PARTS } = await original();
  return { NODE_PARTS: { ...NODE_PARTS, metal: async () => (await import('./toy-cloud/node/node-part.ts')).toyNode } };
});

vi.mock(import('@kopsctl/clouds/create-cluster-flags.ts'), async (original) => {
  const { TOY_FLAGS } = await import('./toy-cloud/control/create-cluster-flags.ts');
  return { OWN_FLAGS: { ...(await original()).OWN_FLAGS, ...TOY_FLAGS } };
});

const NAME = 'demo.k8s.local';
const ALL = { prune: true };

let folder = '';
let context: ActionContext;
const stateStore = async () => openStore(`file://${folder}/state`, {});
const toyFolder = () => join(folder, 'local', 'toy-cloud');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-toy-cloud-'));
  context = {
    state: `file://${folder}/state`,
    name: NAME,
    env: { KOPSCTL_LOCAL_DIR: join(folder, 'local'), KUBECONFIG: join(folder, 'kubeconfig') },
    signal: new AbortController().signal,
    onEvent: () => {},
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a run changes in the toy cloud, or would change. */
const changes = ({ tasks }: RunResult): readonly string[] =>
  tasks
    .flatMap(({ id, steps }) => steps.map(({ action }) => `${action} ${id}`))
    .filter((step) => step.includes(' toy/'));

async function plan(): Promise<RunResult> {
  const updated = await updateCluster(context, { target: 'direct', yes: false, scope: ALL });
  if (updated.kind !== 'planned') throw new Error(updated.kind);
  return updated.planned.result;
}

async function apply(): Promise<RunResult> {
  const updated = await updateCluster(context, { target: 'direct', yes: true, scope: ALL });
  if (updated.kind !== 'applied') throw new Error(updated.kind);
  return updated.applied.result;
}

const set = (group: string | undefined, ...settings: readonly string[]) =>
  editObject(context, {
    kind: group === undefined ? 'Cluster' : 'InstanceGroup',
    name: group,
    edit: { set: settings, unset: [] },
  });

/** `*` stands for one part of a path, `**` for any number. */
const patternOf = (path: string): string =>
  path.replaceAll('.', String.raw`\.`).replaceAll(/\*+/g, (stars) => (stars === '**' ? '.+' : '[^/]+'));

const MADE = [
  `create toy/Network/${NAME}`,
  `create toy/Volume/etcd-1.etcd-main.${NAME}`,
  `create toy/Volume/etcd-1.etcd-events.${NAME}`,
];

test('A cluster is inferred from flags, and its plan shows what the cloud gets', async () => {
  const line = `kopsctl create cluster ${NAME} --cloud metal --zones room-1 --node-count 2 --toy-project sandbox`;
  const created = await runLine(`${line} --state ${context.state}`, context.env);
  expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining(`toy/Network/${NAME}`) });
  await makeUpHashes(await stateStore(), NAME);
  const planned = await plan();
  expect(planned.failed).toBe(0);
  expect(changes(planned)).toEqual(expect.arrayContaining(MADE));
  expect(await openToyService(toyFolder()).machines.list()).toEqual([]);
});

test('What the cloud infers is explained as its default', async () => {
  const explained = await explainValue(context, { kind: 'Cluster', name: NAME, path: 'spec.networkCIDR' });
  expect(JSON.stringify(explained)).toContain('default of the toy cloud');
});

test('What a flag of this cloud alone sets is explained as given', async () => {
  const explained = await explainValue(context, { kind: 'Cluster', name: NAME, path: 'spec.project' });
  expect(explained).toEqual([{ path: 'spec.project', value: 'sandbox', origin: 'set by you' }]);
});

test('An apply makes it, and another finds no changes', async () => {
  const applied = await apply();
  expect(applied.failed).toBe(0);
  expect(changes(applied)).toEqual(expect.arrayContaining(MADE));
  const again = await apply();
  expect(again.changed).toBe(0);
});

test('All that is in the state store has its place in the layout', async () => {
  const places = STORE_LAYOUT.map(({ path }) => new RegExp(`^${patternOf(path)}$`));
  const entries = await openStore(`file://${folder}/state`, {}).then((store) => store.list(NAME));
  const paths = entries.map(({ path }) => path.slice(NAME.length + 1));
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !places.some((place) => place.test(path)))).toEqual([]);
});

test('The machines run, as `get instances` shows', async () => {
  const machines = await getMachines(context);
  expect(machines.map(({ instanceGroup, state }) => `${instanceGroup} ${state}`)).toEqual([
    'control-plane-room-1 running',
    'nodes-room-1 running',
    'nodes-room-1 running',
  ]);
});

test('A machine finds out by its node part what it is, who the others are, and which volumes there are', async () => {
  const instance = `control-plane-room-1-1.${NAME}`;
  const env = { TOY_CLOUD: toyFolder(), TOY_INSTANCE: instance };
  const cloud = await openNodeCloud('metal', {
    cluster: NAME,
    naming: { nodeName: instance },
    env,
    openStore: stateStore,
  });
  const { signal } = context;
  expect(await cloud.facts(signal)).toMatchObject({ instanceId: instance, zone: 'room-1' });
  expect((await cloud.machines(undefined, signal)).items).toHaveLength(3);
  const volume = `etcd-1.etcd-main.${NAME}`;
  await cloud.attachVolume(volume, signal);
  const { items } = await cloud.volumes(undefined, signal);
  expect(items.find(({ id }) => id === volume)?.attachedTo?.instanceId).toBe(instance);

  const other = `nodes-room-1-1.${NAME}`;
  const elsewhere = await openNodeCloud('metal', {
    cluster: NAME,
    naming: { nodeName: other },
    env: { ...env, TOY_INSTANCE: other },
    openStore: stateStore,
  });
  await expect(elsewhere.attachVolume(volume, signal)).rejects.toThrow(`${instance} holds it`);
  await cloud.detachVolume(volume, signal);
  await elsewhere.attachVolume(volume, signal);
});

test('One more machine in a group is one change', async () => {
  await set('nodes-room-1', 'spec.minSize=3', 'spec.maxSize=3');
  expect(changes(await plan())).toEqual([`create toy/Machine/nodes-room-1-3.${NAME}`]);
  expect((await apply()).failed).toBe(0);
  expect((await plan()).changed).toBe(0);
});

test('Machines that are no longer wanted are taken away', async () => {
  await set('nodes-room-1', 'spec.minSize=1', 'spec.maxSize=1');
  const { deletions } = await apply();
  expect(deletions.map(({ owned }) => owned.name).toSorted()).toEqual([
    `nodes-room-1-2.${NAME}`,
    `nodes-room-1-3.${NAME}`,
  ]);
});

test('What the cloud cannot have is refused with the path of the field', async () => {
  await expect(set('nodes-room-1', 'spec.machineType=huge')).rejects.toThrow('spec.machineType');
});

test('A range that a network cannot change is refused in the plan', async () => {
  await set(undefined, 'spec.networkCIDR=10.8.0.0/16');
  const planned = await plan();
  expect(planned.failed).toBeGreaterThan(0);
  expect(JSON.stringify(planned)).toContain('from 10.9.0.0/16 to 10.8.0.0/16');
  await set(undefined, 'spec.networkCIDR=10.9.0.0/16');
});

test('Terraform gets it in writing', async () => {
  const out = join(folder, 'terraform');
  const updated = await updateCluster(context, { target: 'terraform', yes: false, out, scope: { prune: false } });
  expect(updated.kind).toBe('written');
  const text = await readFile(join(out, 'kubernetes.tf'), 'utf8');
  expect(text).toContain('resource "toy_machine" "nodes-room-1-1-demo-k8s-local"');
  expect(text).toContain('toy_network.demo-k8s-local.id');
});

test('Nothing is left of it once it is deleted', async () => {
  const deleted = await deleteCluster(context, { yes: true, unregister: false, onFound: () => {} });
  expect(deleted.kind).toBe('deleted');
  const toy = openToyService(toyFolder());
  for (const things of [toy.networks, toy.volumes, toy.attachments, toy.addresses, toy.machines]) {
    expect(await things.names()).toEqual([]);
  }
});
