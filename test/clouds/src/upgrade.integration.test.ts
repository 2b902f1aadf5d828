import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askRoller, endOperation, rollStatus } from '@kopsctl/actions/control-rolling-update.ts';
import { createCluster } from '@kopsctl/actions/create-cluster.ts';
import { editObject } from '@kopsctl/actions/edit-object.ts';
import type { ActionContext, ActionEvent } from '@kopsctl/actions/phases/action.ts';
import { reconcileCluster } from '@kopsctl/actions/reconcile-cluster.ts';
import { rollCluster } from '@kopsctl/actions/roll-cluster.ts';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { updateCluster } from '@kopsctl/actions/update-cluster.ts';
import { upgradeCluster } from '@kopsctl/actions/upgrade-cluster.ts';
import { bootReport, bootReportPath, printBootReport } from '@kopsctl/node-plan/boot-report.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WITHOUT_API } from './roll-manner.ts';
import { openToyService } from './toy-cloud/node/toy-things.ts';

vi.mock(import('@kopsctl/clouds/control-registry.ts'), async (original) => {
  const { toy } = await import('./toy-cloud/control/toy.ts');
  return { CLOUDS: [...(await original()).CLOUDS.filter(({ name }) => name !== toy.name), toy] };
});

const NAME = 'up.k8s.local';
const ALL = { prune: false };

let folder = '';
let context: ActionContext;
const store = () => openStore(`file://${folder}/state`, {});
const set = (name: string | undefined, ...settings: readonly string[]) =>
  editObject(context, {
    kind: name === undefined ? 'Cluster' : 'InstanceGroup',
    name,
    edit: { set: settings, unset: [] },
  });

const update = (yes: boolean, more: Partial<Parameters<typeof updateCluster>[1]> = {}) =>
  updateCluster(context, { target: 'direct', yes, scope: ALL, ...more });

/** The ids of what an update would change. */
async function pending(): Promise<readonly string[]> {
  const planned = await update(false);
  if (planned.kind !== 'planned') throw new Error(planned.kind);
  return planned.planned.result.tasks.filter(({ steps }) => steps.length > 0).map(({ id }) => id);
}

async function outdated(): Promise<readonly string[]> {
  const rolling = await rollCluster(context, { ...WITHOUT_API, yes: false });
  return rolling.outdated.map(({ machine }) => machine.name);
}

/** Whether a step is a stage of an upgrade, and how each machine was replaced. */
function recorder() {
  const [stages, replaced]: [string[], string[]] = [[], []];
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'stage-started') stages.push(`${event.stage.kubernetes} ${event.stage.what}`);
    if (event.type !== 'roll' || event.event.type !== 'machine-step' || event.event.step !== 'done') return;
    replaced.push(event.event.instanceGroup);
  };
  return { stages, replaced, onEvent };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-upgrade-'));
  context = {
    state: `file://${folder}/state`,
    name: NAME,
    env: { KOPSCTL_LOCAL_DIR: join(folder, 'local'), KUBECONFIG: join(folder, 'kubeconfig') },
    signal: new AbortController().signal,
    onEvent: () => {},
  };
  const flags = { name: NAME, cloud: 'metal', zones: ['room-1'], node: { count: 2 }, kubernetesVersion: '1.34.4' };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: false });
  for (const version of ['1.36.3', '1.35.7', '1.34.4']) {
    await set(undefined, `spec.kubernetesVersion=${version}`);
    await makeUpHashes(await store(), NAME);
  }
  const made = await update(true);
  if (made.kind !== 'applied' || made.applied.result.failed > 0) throw new Error(JSON.stringify(made));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('A skipped minor version is refused wherever it would be applied, unless it is forced', async () => {
  await set(undefined, 'spec.kubernetesVersion=1.36.3');
  const why = 'the step from 1.34.4 to 1.36.3 skips a minor version';
  await expect(update(true)).rejects.toThrow(why);
  await expect(update(false)).rejects.toThrow(why);
  await expect(update(true, { target: 'terraform', out: join(folder, 'tf') })).rejects.toThrow(why);
  expect((await update(false, { ignoresSkew: true })).kind).toBe('planned');
  await set(undefined, 'spec.kubernetesVersion=1.33.13');
  await expect(update(true)).rejects.toThrow('goes back a minor version');
  await set(undefined, 'spec.kubernetesVersion=1.34.4');
  expect(await pending()).toEqual([]);
});

test('Only control planes are updated where a person says so', async () => {
  await set(undefined, 'spec.kubernetesVersion=1.34.5');
  await makeUpHashes(await store(), NAME);
  await update(true, { roles: ['ControlPlane', 'APIServer'] });
  const left = await pending();
  expect(left.length).toBeGreaterThan(0);
  // The machine of a control plane is not changed: it is outdated.
  expect(left.filter((id) => !id.includes('nodes-room-1'))).toEqual([]);
  await update(true);
  await set(undefined, 'spec.kubernetesVersion=1.34.4');
  await update(true);
  expect(await outdated()).toEqual([]);
});

test('Machines of groups that were not chosen are not taken for unwanted, and nothing is pruned beside some groups', async () => {
  const machines = () => openToyService(join(folder, 'local', 'toy-cloud')).machines.list();
  const before = await machines();
  for (const some of [{ roles: ['ControlPlane' as const] }, { instanceGroups: ['control-plane-room-1'] }]) {
    const planned = await update(false, some);
    expect(planned).toMatchObject({ planned: { result: { deletions: [], changed: 0, failed: 0 } } });
    for (const yes of [false, true]) {
      const scope = { prune: true };
      await expect(update(yes, { ...some, scope })).rejects.toMatchObject({ isUsage: true });
      // Refused before the key is stored.
      const sshPublicKeyFile = join(folder, 'no-such-key.pub');
      await expect(update(yes, { ...some, scope, sshPublicKeyFile })).rejects.toMatchObject({ isUsage: true });
    }
  }
  expect(await machines()).toEqual(before);
});

test('Without --yes an upgrade is shown as kops shows it, and nothing is written', async () => {
  const before = await (await store()).list(NAME);
  const { proposals, stages, operation } = await upgradeCluster(context, { yes: false, manner: WITHOUT_API });
  expect(proposals.map(({ item, property, old, new: wanted }) => [item, property, old, wanted])).toEqual([
    ['Cluster', 'KubernetesVersion', '1.34.4', '1.36.3'],
  ]);
  expect([...new Set(stages.map(({ kubernetes }) => kubernetes))]).toEqual(['1.35.7', '1.36.3']);
  expect(operation).toBeUndefined();
  expect(await (await store()).list(NAME)).toEqual(before);
});

test('A version that cannot be made is refused before anything is written', async () => {
  const before = await (await store()).list(NAME);
  const to = (kubernetesVersion: string) =>
    upgradeCluster(context, { yes: true, kubernetesVersion, manner: WITHOUT_API });
  await expect(to('1.33.1')).rejects.toThrow('goes back a minor version');
  await expect(to('1.99.0')).rejects.toThrow('the newest minor that this version of kopsctl knows');
  expect(await (await store()).list(NAME)).toEqual(before);
});

test('An upgrade that is interrupted at every stage is resumed, and control planes go before workers', async () => {
  const { stages, replaced, onEvent } = recorder();
  let kills = 0;
  const upgrade = (dies: boolean) => {
    let begun = 0;
    const told = (event: ActionEvent): void => {
      onEvent(event);
      if (event.type === 'stage-started') begun += 1;
      // Each process begins three stages and dies in the third.
      if (dies && event.type === 'stage-started' && begun === 3) throw new Error('killed');
    };
    return upgradeCluster({ ...context, onEvent: told }, { yes: true, manner: WITHOUT_API });
  };
  for (;;) {
    const ended = await upgrade(true).catch((error: unknown) => error);
    if (!(ended instanceof Error)) break;
    expect(ended.message).toBe('killed');
    kills += 1;
    // What would give workers the new version before all control planes have it is refused; otherwise nobody is hindered.
    const { operation: left } = await rollStatus(context, {});
    const due = left?.stages.find(({ state }) => state !== 'done')?.what ?? '';
    const applied = await update(true).then(
      () => 'applied',
      (error: unknown) => String(error),
    );
    const isHarmless = ['update', 'roll'].includes(due);
    expect(applied).toContain(isHarmless ? 'applied' : 'an upgrade to 1.36.3 was left unfinished');
    // The other target is refused while this one is not finished.
    const other = upgradeCluster(context, { yes: true, kubernetesVersion: '1.35.7', manner: WITHOUT_API });
    await expect(other).rejects.toThrow('an upgrade to 1.36.3 was left unfinished');
  }
  expect(kills).toBeGreaterThan(3);
  const { operation } = await rollStatus(context, {});
  expect(operation?.state).toBe('done');
  expect(stages.filter((stage) => stage.endsWith('set-spec')).at(-1)).toBe('1.36.3 set-spec');
  const once = ['control-plane-room-1', 'nodes-room-1', 'nodes-room-1'];
  expect(replaced).toEqual([...once, ...once]);
  expect(await pending()).toEqual([]);
  expect(await outdated()).toEqual([]);
  const machines = await openToyService(join(folder, 'local', 'toy-cloud')).machines.list();
  expect(machines).toHaveLength(3);
  const again = await upgradeCluster(context, { yes: true, manner: WITHOUT_API });
  expect(again).toMatchObject({ proposals: [], stages: [] });
}, 120_000);

test('A reconciliation updates and rolls control planes first, then everything else, and prunes', async () => {
  await set(undefined, 'spec.kubelet.logLevel=3', 'spec.masterKubelet.logLevel=3');
  await set('nodes-room-1', 'spec.minSize=1', 'spec.maxSize=1');
  const planned = await reconcileCluster(context, { yes: false, manner: WITHOUT_API });
  expect(planned.kind).toBe('planned');
  const { stages, replaced, onEvent } = recorder();
  const done = await reconcileCluster({ ...context, onEvent }, { yes: true, manner: WITHOUT_API });
  expect(done).toMatchObject({ kind: 'done', operation: { state: 'done', kind: 'Reconciliation' } });
  expect(stages.map((stage) => stage.replace('1.36.3 ', ''))).toEqual([
    'update-control-planes',
    'roll-control-planes',
    'update',
    'roll',
    'prune',
  ]);
  expect(replaced[0]).toBe('control-plane-room-1');
  expect(await outdated()).toEqual([]);
  const machines = await openToyService(join(folder, 'local', 'toy-cloud')).machines.list();
  expect(machines).toHaveLength(2);
});

/** Machines say that they booted by the plan that their group has now. */
async function tellPlans(): Promise<void> {
  const state = await store();
  const { outdated: all } = await rollCluster(context, { ...WITHOUT_API, force: true, yes: false });
  for (const { machine, wanted = '' } of all) {
    const events = [{ type: 'run-finished', atMs: Date.now(), changed: 0, failed: 0 }] as const;
    const report = printBootReport(bootReport({ node: machine.nodeName, planHash: wanted, events }));
    await state.write(bootReportPath(NAME, machine.nodeName), Buffer.from(report), { ifAbsent: true });
  }
}

test('A reconciliation to the version that API servers run, cut off before control planes were rolled, holds no update back', async () => {
  await tellPlans();
  await set(undefined, 'spec.kubelet.logLevel=5', 'spec.masterKubelet.logLevel=5');
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'stage-started' && event.stage.what === 'roll-control-planes') throw new Error('killed');
  };
  const killed = reconcileCluster({ ...context, onEvent }, { yes: true, manner: WITHOUT_API });
  await expect(killed).rejects.toThrow('killed');
  expect((await rollStatus(context, {})).operation).toMatchObject({ state: 'running', oldestApiServer: '1.36.3' });
  expect((await update(true)).kind).toBe('applied');
  const done = await reconcileCluster(context, { yes: true, manner: WITHOUT_API });
  expect(done).toMatchObject({ operation: { state: 'done' } });
  expect(await outdated()).toEqual([]);
});

test('An upgrade that was left is ended where it is; while somebody works, nobody else does', async () => {
  await set(undefined, 'spec.kubelet.logLevel=4', 'spec.masterKubelet.logLevel=4');
  const { promise: isThere, resolve: there } = Promise.withResolvers<void>();
  const onEvent = (event: ActionEvent): void => {
    if (event.type === 'stage-started' && event.stage.what === 'roll-control-planes') there();
  };
  const working = reconcileCluster({ ...context, onEvent }, { yes: true, manner: WITHOUT_API });
  await Promise.race([isThere, working]);
  await expect(rollCluster(context, { ...WITHOUT_API, yes: true })).rejects.toThrow('has been working on it since');
  await expect(reconcileCluster(context, { yes: true, manner: WITHOUT_API })).rejects.toThrow(
    'has been working on it since',
  );
  expect((await askRoller(context, 'pause', {})).upgrader?.purpose).toBe('reconcile');
  expect(await working).toMatchObject({ operation: { state: 'paused' } });
  expect(await endOperation(context, {})).toMatchObject({ state: 'aborted' });
  await expect(askRoller(context, 'pause', {})).rejects.toThrow('no rolling update is running');
  expect(await reconcileCluster(context, { yes: true, manner: WITHOUT_API })).toMatchObject({
    operation: { state: 'done' },
  });
});
