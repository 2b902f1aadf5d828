import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adoptCluster } from '@kopsctl/actions/adopt-cluster.ts';
import { applyCluster } from '@kopsctl/actions/apply-cluster.ts';
import { rollStatus } from '@kopsctl/actions/control-rolling-update.ts';
import { createCluster } from '@kopsctl/actions/create-cluster.ts';
import { createInstanceGroup } from '@kopsctl/actions/create-instance-group.ts';
import { deleteCluster } from '@kopsctl/actions/delete-cluster.ts';
import { deleteInstance } from '@kopsctl/actions/delete-instance.ts';
import { editObject } from '@kopsctl/actions/edit-object.ts';
import { healCluster } from '@kopsctl/actions/heal-cluster.ts';
import type { ActionContext, ActionEvent } from '@kopsctl/actions/phases/action.ts';
import { reconcileCluster } from '@kopsctl/actions/reconcile-cluster.ts';
import { rollCluster, type RollRequest } from '@kopsctl/actions/roll-cluster.ts';
import { rotateKeypairs } from '@kopsctl/actions/rotate-keypairs.ts';
import { ROLLING, rollLockPath, withRollLock } from '@kopsctl/actions/rolling/roll-lock.ts';
import { appliedReleasePath } from '@kopsctl/actions/store/applied-release.ts';
import { thisProcess } from '@kopsctl/actions/store/this-process.ts';
import { withLockAt } from '@kopsctl/actions/store/with-cluster-lock.ts';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { updateCluster } from '@kopsctl/actions/update-cluster.ts';
import { withOperationLock } from '@kopsctl/actions/upgrade/operation-lock.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { printLock } from '@kopsctl/state-store/lock-record.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WITHOUT_API } from './roll-manner.ts';
import { openToyService } from './toy-cloud/node/toy-things.ts';

vi.mock(import('@kopsctl/clouds/control-registry.ts'), async (original) => {
  const { toy } = await import('./toy-cloud/control/toy.ts');
  return { CLOUDS: [...(await original()).CLOUDS.filter(({ name }) => name !== toy.name), toy] };
});

const NAME = 'day-two.k8s.local';
const [CONTROL_PLANE, CANARY, OTHER] = ['control-plane-room-1', 'canary', 'nodes-room-1'] as const;

let folder = '';
let context: ActionContext;
const store = () => openStore(`file://${folder}/state`, {});
const set = (...settings: readonly string[]) =>
  editObject(context, { kind: 'Cluster', name: undefined, edit: { set: settings, unset: [] } });
const update = () => updateCluster(context, { target: 'direct', yes: true, scope: { prune: false } });
const machines = () => openToyService(join(folder, 'local', 'toy-cloud')).machines.list();
const idsOf = async (group?: string): Promise<readonly string[]> =>
  (await machines()).filter(({ instanceGroup }) => (group ?? instanceGroup) === instanceGroup).map(({ id }) => id);

async function outdated(): Promise<readonly string[]> {
  const rolling = await rollCluster(context, { ...WITHOUT_API, yes: false });
  return rolling.outdated.map(({ machine }) => machine.instanceGroup);
}

/** Rolls until the first machine goes, and is killed then. */
async function killedRoll(more: Partial<RollRequest>): Promise<void> {
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'roll' && event.event.type === 'machine-step' && event.event.step === 'delete')
      throw new Error('killed');
  };
  await expect(rollCluster({ ...context, onEvent }, { ...WITHOUT_API, ...more, yes: true })).rejects.toThrow('killed');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-day-two-'));
  context = {
    state: `file://${folder}/state`,
    name: NAME,
    env: { KOPSCTL_LOCAL_DIR: join(folder, 'local'), KUBECONFIG: join(folder, 'kubeconfig') },
    signal: new AbortController().signal,
    onEvent: () => {},
  };
  const flags = { name: NAME, cloud: 'metal', zones: ['room-1'], node: { count: 1 }, kubernetesVersion: '1.34.4' };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: false });
  await createInstanceGroup(context, { name: CANARY, role: 'node', subnets: ['room-1'], zones: [], dryRun: false });
  await editObject(context, {
    kind: 'InstanceGroup',
    name: CANARY,
    edit: { set: ['spec.minSize=1', 'spec.maxSize=1'], unset: [] },
  });
  await makeUpHashes(await store(), NAME);
  const made = await update();
  if (made.kind !== 'applied' || made.applied.result.failed > 0) throw new Error(JSON.stringify(made));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('A rolling update that was interrupted resumes with the machines and in the manner that were asked for', async () => {
  const resume = () => rollCluster(context, { ...WITHOUT_API, cloudOnly: false, yes: true, resumes: true });
  await expect(resume()).rejects.toThrow('it was never rolled');
  await set('spec.kubelet.logLevel=3', 'spec.masterKubelet.logLevel=3');
  await update();
  const others = await idsOf(OTHER);
  await killedRoll({ instanceGroups: [CANARY], budget: '1' });
  // It asks no API server: that is a part of what was asked for.
  const { roll } = await resume();
  expect(roll).toMatchObject({ state: 'done', asked: { instanceGroups: [CANARY], budget: '1', cloudOnly: true } });
  expect(roll?.turns.map(({ instanceGroup }) => instanceGroup)).toEqual([CANARY]);
  expect(await idsOf(OTHER)).toEqual(others);
  expect((await outdated()).toSorted()).toEqual(['control-plane-room-1', OTHER]);
  await expect(resume()).rejects.toThrow('the latest one is done');
});

test('The journal of a former version says which machines it is about, and only their work is resumed', async () => {
  const former = (await rollStatus(context, {})).roll;
  await killedRoll({ instanceGroups: [OTHER] });
  const path = `${NAME}/manifests/kopsctl/rolling-update.json`;
  const stored = await (await store()).read(path);
  const { asked: _asked, ...journal } = JSON.parse(new TextDecoder().decode(stored?.bytes)) as Record<string, unknown>;
  await (
    await store()
  ).write(path, new TextEncoder().encode(JSON.stringify(journal)), {
    ifVersion: stored?.version ?? '',
  });
  const { roll } = await rollCluster(context, { ...WITHOUT_API, yes: true, resumes: true });
  expect(roll?.id).not.toBe(former?.id);
  expect(roll).toMatchObject({ state: 'done', turns: [{ instanceGroup: OTHER, step: 'done' }] });
  expect(await outdated()).toEqual(['control-plane-room-1']);
  await rollCluster(context, { ...WITHOUT_API, yes: true });
  expect(await outdated()).toEqual([]);
});

test('An instance group that there is not is refused, whether machines are outdated or not', async () => {
  for (const yes of [false, true]) {
    const rolling = rollCluster(context, { ...WITHOUT_API, yes, instanceGroups: [CANARY, 'typo'] });
    await expect(rolling).rejects.toThrow(
      `it has no instance group typo, only ${CANARY}, control-plane-room-1, ${OTHER}`,
    );
  }
});

test('An update of one group leaves the others as they are', async () => {
  const request = { target: 'direct', scope: { prune: false } } as const;
  /** How much would be changed now. */
  const pending = async (instanceGroups?: readonly string[]): Promise<number> => {
    const planned = await updateCluster(context, { ...request, yes: false, instanceGroups });
    return planned.kind === 'planned' ? planned.planned.result.changed : NaN;
  };
  await set('spec.kubelet.logLevel=5', 'spec.masterKubelet.logLevel=5');
  const [own, all] = [await pending([CANARY]), await pending()];
  expect(own).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(own);
  await updateCluster(context, { ...request, yes: true, instanceGroups: [CANARY] });
  expect(await pending([CANARY])).toBe(0);
  expect(await pending([OTHER])).toBeGreaterThan(0);
  await expect(pending(['typo'])).rejects.toThrow('it has no instance group typo');
  await update();
  await rollCluster(context, { ...WITHOUT_API, yes: true });
  expect(await outdated()).toEqual([]);
});

test('An instance is deleted, and another one takes its place', async () => {
  const [before, all] = [await idsOf(CANARY), await idsOf()];
  const { name = '' } = (await machines()).find(({ id }) => id === before[0]) ?? {};
  const remove = (yes: boolean, instance = name) =>
    deleteInstance(context, { ...WITHOUT_API, instance, yes, surges: true });
  await expect(remove(true, 'typo')).rejects.toThrow(name);
  expect((await remove(false)).machine.name).toBe(name);
  expect(await idsOf()).toEqual(all);
  // Nobody else may replace machines meanwhile.
  await withLockAt(await store(), { path: rollLockPath(NAME), purpose: 'rolling-update', context }, async () => {
    await expect(remove(true)).rejects.toThrow('has been rolling it since');
  });
  expect(await remove(true)).toMatchObject({ machine: { name }, roll: { state: 'done', turns: [{ name }] } });
  const after = await idsOf();
  expect(after).toHaveLength(all.length);
  expect(after.filter((id) => !all.includes(id))).toHaveLength(1);
  expect(after).not.toContain(before[0]);
});

test('An instance is not deleted while a rolling update that was left still has machines to replace', async () => {
  await killedRoll({ force: true, instanceGroups: [CANARY] });
  const { name = '' } = (await machines()).find(({ instanceGroup }) => instanceGroup === OTHER) ?? {};
  const removed = deleteInstance(context, { ...WITHOUT_API, instance: name, yes: true, surges: false });
  await expect(removed).rejects.toThrow('was left unfinished');
  const ids = await idsOf();
  const { roll } = await rollCluster(context, { ...WITHOUT_API, yes: true, resumes: true });
  expect(roll).toMatchObject({ state: 'done', turns: [{ instanceGroup: CANARY, why: 'forced' }] });
  expect((await idsOf()).filter((id) => !ids.includes(id))).toHaveLength(1);
});

test('The only control plane is made again by whoever goes on, although no API answers meanwhile', async () => {
  const { id = '', name = '' } = (await machines()).find(({ role }) => role === 'ControlPlane') ?? {};
  await killedRoll({ force: true, instanceGroups: [CONTROL_PLANE] });
  await openToyService(join(folder, 'local', 'toy-cloud')).machines.delete(name);
  const stopped = new AbortController();
  const notes: string[] = [];
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'note') notes.push(event.line);
    if (event.type === 'roll' && event.event.type === 'machine-step' && event.event.step === 'validate')
      stopped.abort();
  };
  const rolling = { ...WITHOUT_API, cloudOnly: false, instanceGroups: [CONTROL_PLANE], yes: true };
  const { roll } = await rollCluster({ ...context, onEvent, signal: stopped.signal }, rolling);
  expect(roll).toMatchObject({ state: 'stopped', turns: [{ id, step: 'validate' }] });
  expect(notes.join('\n')).toContain('Continuing without the API');
  expect(await idsOf(CONTROL_PLANE)).not.toContain(id);
  expect(await idsOf(CONTROL_PLANE)).toHaveLength(1);
  expect(await rollCluster(context, { ...WITHOUT_API, yes: true })).toMatchObject({ roll: { state: 'done' } });
  // When no machine is being replaced, an API that does not answer is reported.
  await expect(rollCluster(context, { ...rolling, force: true })).rejects.toThrow('127.0.0.1:9');
});

test('While a cluster is upgraded, nothing else is applied or rotated, and no machine is healed or deleted', async () => {
  const { name = '' } = (await machines())[0] ?? {};
  await withOperationLock(await store(), NAME, 'upgrade', context, async () => {
    const why = 'has been working on it since';
    await expect(update()).rejects.toThrow(why);
    await expect(rotateKeypairs(context, { yes: true, manner: WITHOUT_API })).rejects.toThrow(why);
    await expect(healCluster(context, { yes: true })).rejects.toThrow(why);
    await expect(deleteInstance(context, { ...WITHOUT_API, instance: name, yes: true, surges: true })).rejects.toThrow(
      why,
    );
    // What only looks hinders nobody.
    const planned = await updateCluster(context, { target: 'direct', yes: false, scope: { prune: false } });
    expect(planned.kind).toBe('planned');
  });
});

test('While machines are replaced or the cluster is upgraded it is not deleted, and machines are not replaced while it is', async () => {
  const state = await store();
  const remove = (yes: boolean) => deleteCluster(context, { cluster: NAME, yes, unregister: false, onFound: () => {} });
  const before = await idsOf();
  await withRollLock(state, NAME, { context, what: `roll ${NAME}`, purpose: ROLLING }, async () => {
    await expect(remove(true)).rejects.toThrow(/cannot delete the cluster .* has been rolling it since/);
    expect(await remove(false)).toEqual({ kind: 'found' });
  });
  await withOperationLock(state, NAME, 'upgrade', context, async () => {
    await expect(remove(true)).rejects.toThrow(
      /cannot delete the cluster .* has been working on it since .* \(upgrade\)/,
    );
  });
  expect(await idsOf()).toEqual(before);
  await withRollLock(state, NAME, { context, what: '', purpose: 'delete' }, async () => {
    await expect(rollCluster(context, { ...WITHOUT_API, force: true, yes: true })).rejects.toThrow(/\(delete\)/);
    expect((await rollStatus(context, {})).roller).toBeUndefined();
  });
  expect(await idsOf()).toEqual(before);
});

test('An upgrade that begins while something is prepared keeps it from being applied', async () => {
  const path = join(folder, 'state', NAME, 'manifests', 'kopsctl', 'upgrade.lock');
  const lock = await withOperationLock(await store(), NAME, 'upgrade', context, () => readFile(path));
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'phase-finished' && event.phase === 'work out the tasks') writeFileSync(path, lock);
  };
  await expect(applyCluster({ ...context, onEvent }, { scope: { prune: false } })).rejects.toThrow(
    'has been working on it since',
  );
  await rm(path);
});

test('A spec that somebody else changes while it is prepared is not applied, nor taken back', async () => {
  const path = join(folder, 'state', NAME, 'config');
  const changed = (await readFile(path, 'utf8')).replaceAll('logLevel: 5', 'logLevel: 6');
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'phase-finished' && event.phase === 'work out the tasks') writeFileSync(path, changed);
  };
  const before = await outdated();
  await expect(applyCluster({ ...context, onEvent }, { scope: { prune: false } })).rejects.toThrow(
    'its spec was changed while this was prepared',
  );
  expect(await readFile(path, 'utf8')).toBe(changed);
  await expect(outdated()).rejects.toThrow('are not applied yet');
  await applyCluster(context, { scope: { prune: false } });
  expect(await outdated()).not.toEqual(before);
});

test('What a newer kopsctl applied is neither applied nor reconciled, unless a person says so', async () => {
  const path = appliedReleasePath(NAME);
  const stored = await (await store()).read(path);
  await (await store()).write(path, new TextEncoder().encode('99.0.0\n'), { ifVersion: stored?.version ?? '' });
  const why = 'kopsctl 99.0.0 applied it last';
  await expect(applyCluster(context, { scope: { prune: false } })).rejects.toThrow(why);
  await expect(reconcileCluster(context, { yes: true, manner: WITHOUT_API })).rejects.toThrow(why);
  expect(await reconcileCluster(context, { yes: true, manner: WITHOUT_API, allowsDowngrade: true })).toMatchObject({
    operation: { state: 'done' },
  });
});

test('What kops made is not healed before it is taken over', async () => {
  await (await store()).write(`${NAME}/kops-version.txt`, new TextEncoder().encode('1.36.0\n'), { ifAbsent: true });
  await expect(healCluster(context, { yes: true })).rejects.toThrow('kops 1.36.0 made this cluster');
});

test('A cluster is taken over, again as well, beside nobody else and as it was shown, and by no older kopsctl', async () => {
  const state = await store();
  const adopt = (told: Partial<ActionContext> = {}) => adoptCluster({ ...context, ...told }, { yes: true });
  expect(await adopt()).toMatchObject({ result: { mode: 'apply', failed: 0, cancelled: false } });
  const whileItIsPrepared = (does: () => void): Partial<ActionContext> => ({
    onEvent: (event) => {
      if (event.type === 'phase-finished' && event.phase === 'work out the tasks') does();
    },
  });

  const works = 'has been working on it since';
  const path = join(folder, 'state', NAME, 'manifests', 'kopsctl', 'upgrade.lock');
  const lock = await withOperationLock(state, NAME, 'upgrade', context, async () => {
    await expect(adopt()).rejects.toThrow(works);
    return readFile(path);
  });
  await expect(adopt(whileItIsPrepared(() => writeFileSync(path, lock)))).rejects.toThrow(works);
  await rm(path);

  const spec = join(folder, 'state', NAME, 'config');
  const changed = `${await readFile(spec, 'utf8')}# changed\n`;
  await expect(adopt(whileItIsPrepared(() => writeFileSync(spec, changed)))).rejects.toThrow(
    'its spec was changed while this was prepared',
  );

  const release = await state.read(appliedReleasePath(NAME));
  const newer = await state.write(appliedReleasePath(NAME), new TextEncoder().encode('99.0.0\n'), {
    ifVersion: release?.version ?? '',
  });
  await expect(adopt()).rejects.toThrow('kopsctl 99.0.0 applied it last');
  await state.write(appliedReleasePath(NAME), release?.bytes ?? new Uint8Array(), { ifVersion: newer.version });
  expect(await adopt()).toMatchObject({ adopted: expect.any(String), result: { changed: 0, failed: 0 } });
});

test('A rolling update whose process died does not keep a cluster from being deleted', async () => {
  const state = await store();
  const [acquiredMs, expiresMs] = [Date.now(), Date.now() + 600_000];
  // This process with another beginning: its number belonged to one that has ended.
  const process = (await thisProcess())?.replace(/\d+$/, '1') ?? '';
  const held = { id: 'x', owner: 'anna@laptop', purpose: ROLLING, acquiredMs, expiresMs, isReleased: false, process };
  const found = await state.read(rollLockPath(NAME));
  await state.write(rollLockPath(NAME), printLock(held), ifUnchanged(found?.version));
  const deleted = await deleteCluster(context, { cluster: NAME, yes: true, unregister: false, onFound: () => {} });
  expect(deleted.kind).toBe('deleted');
  expect(await machines()).toEqual([]);
  expect(await state.list(NAME)).toEqual([]);
});
