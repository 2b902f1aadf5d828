import { asArray, asRecord } from '@kopsctl/kube/json.ts';
import { expect, test } from 'vitest';
import type { RollEvent } from './roll-events.ts';
import { runSimulated } from './testing/run-simulated.ts';
import { SimulatedCluster, type Simulation } from './testing/simulated-cluster.ts';

/*
 * Behaviours that kops's own tests name (pkg/instancegroups, pkg/validation at 268927e), where no other test of this folder
 * has them. Each title ends with kops's name for it.
 */

const CONTROL_PLANE = { name: 'control-plane', role: 'ControlPlane', count: 1, current: 1 } as const;
const NOT_READY = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
const READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };

async function booted(groups: Simulation['groups'], hasGroups = false): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster({ groups, hasGroups });
  await cluster.boot();
  return cluster;
}
const workers = (name: string, count: number, current = 0) => ({ name, role: 'Node' as const, count, current });
const stepOf = (event: RollEvent): string | undefined =>
  event.type === 'machine-step' ? `${event.step} ${event.machine}` : undefined;

test('a group without machines is not waited for (EmptyGroup)', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('empty', 0), workers('nodes', 1)]);
  const roll = await runSimulated(cluster);
  expect(roll.state).toBe('done');
  expect(roll.turns.map(({ name }) => name)).toEqual(['nodes-1']);
});

test('a cluster that is valid, and then not, was not found valid twice in a row (FlappingValidation)', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('nodes', 1), workers('others', 1, 1)]);
  const passes: number[] = [];
  let [looks, isFlapping] = [0, true];
  const roll = await runSimulated(cluster, {
    onLook: () => {
      looks += 1;
      if (isFlapping) cluster.changeNode('control-plane-1', looks % 2 === 0 ? NOT_READY : READY);
      if (looks === 60) isFlapping = false;
      if (!isFlapping) cluster.changeNode('control-plane-1', READY);
    },
    onEvent: (event) => {
      if (stepOf(event) === 'done nodes-1') passes.push(looks);
    },
    wishes: { validateCount: 3 },
  });
  expect(roll.state).toBe('done');
  expect(passes[0]).toBeGreaterThan(60);
});

test('a fault in another group does not keep a group from being rolled (NonRelatedInstanceGroupFailure)', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('nodes', 2), workers('others', 1, 1)]);
  cluster.changeNode('others-1', NOT_READY);
  const roll = await runSimulated(cluster);
  expect(roll.state).toBe('done');
  expect(roll.turns.every(({ step }) => step === 'done')).toBe(true);
});

test('a fault in its own group does (RelatedInstanceGroupFailure)', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('nodes', 3, 1)]);
  cluster.changeNode('nodes-1', NOT_READY);
  const roll = await runSimulated(cluster, { wishes: { validationTimeoutMs: 30_000 } });
  expect(roll.state).toBe('failed');
  expect(roll.turns.map(({ step }) => step)).toEqual(['waiting', 'waiting']);
});

test('a fault of the control plane keeps every group from being rolled (MasterGroupFailure)', async () => {
  const cluster = await booted([{ ...CONTROL_PLANE, count: 2, current: 2 }, workers('nodes', 2), workers('others', 2)]);
  cluster.changeNode('control-plane-2', NOT_READY);
  const roll = await runSimulated(cluster, { wishes: { validationTimeoutMs: 30_000 } });
  expect(roll.state).toBe('failed');
  expect(roll.blocked?.why).toContain('control-plane-2');
  expect(roll.turns.every(({ step }) => step === 'waiting')).toBe(true);
});

test.each([
  ['by groups', true],
  ['by name', false],
])(
  'no machine goes while its group lacks one that cannot be made %s (ValidateNodesNotEnough)',
  async (_how, hasGroups) => {
    const cluster = await booted([CONTROL_PLANE, workers('nodes', 3)], hasGroups);
    const ofNodes = () => cluster.machines.flatMap(({ instanceGroup, id }) => (instanceGroup === 'nodes' ? [id] : []));
    cluster.full = 'nodes';
    const [, gone] = ofNodes();
    cluster.removeMachine(gone ?? '');
    // Made by name, its Node goes with it, so that nothing else is amiss.
    await cluster.kube().remove('/api/v1/nodes/nodes-2', new AbortController().signal);
    const before = ofNodes();
    const run = { wishes: { validationTimeoutMs: 30_000 }, rules: { nodes: { maxSurge: 1, maxUnavailable: 2 } } };
    const roll = await runSimulated(cluster, run);
    expect(roll.state).toBe('failed');
    expect(roll.blocked?.why).toBe('nodes lacks 1 of its 3 machines');
    expect(ofNodes()).toEqual(before);
    expect(cluster.machines.every(({ standing }) => standing === 'counted')).toBe(true);
  },
);

test('no worker goes while a control plane is missing', async () => {
  const cluster = await booted([{ ...CONTROL_PLANE, count: 2, current: 2 }, workers('nodes', 2)], true);
  cluster.full = 'control-plane';
  cluster.removeMachine(cluster.machines.find(({ name }) => name === 'control-plane-2')?.id ?? '');
  const roll = await runSimulated(cluster, { wishes: { validationTimeoutMs: 30_000 } });
  expect(roll.state).toBe('failed');
  expect(roll.blocked?.why).toBe('control-plane lacks 1 of its 2 machines');
  expect(roll.turns.every(({ step }) => step === 'waiting')).toBe(true);
});

test('with --cloudonly, nothing is validated: machines go although a control plane is missing', async () => {
  const cluster = await booted([{ ...CONTROL_PLANE, count: 2, current: 2 }, workers('nodes', 2)], true);
  cluster.full = 'control-plane';
  cluster.removeMachine(cluster.machines.find(({ name }) => name === 'control-plane-2')?.id ?? '');
  const roll = await runSimulated(cluster, { wishes: { cloudOnly: true, validationTimeoutMs: 30_000 } });
  expect(roll.state).toBe('done');
  expect(cluster.machines.every(({ isCurrent }) => isCurrent)).toBe(true);
});

test('a machine that another group lacks keeps no group from being rolled', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('nodes', 2), workers('others', 2, 2)], true);
  cluster.full = 'others';
  cluster.removeMachine(cluster.machines.find(({ name }) => name === 'others-2')?.id ?? '');
  expect((await runSimulated(cluster)).state).toBe('done');
});

test('where a person says so, a cluster that is not valid is rolled on (AllNeedUpdateNoFailOnValidate)', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('nodes', 2)]);
  cluster.broken = 'nodes';
  const roll = await runSimulated(cluster, {
    wishes: { failOnValidateError: false, validationTimeoutMs: 20_000 },
  });
  expect(roll.turns.map(({ step }) => step)).toEqual(['done', 'done']);
  expect(roll.turns.every(({ failure }) => failure !== undefined)).toBe(true);
});

test('the cluster is validated after a bastion, before a control plane goes (ValidatesAfterBastion)', async () => {
  const cluster = await booted([
    { name: 'bastion', role: 'Bastion', count: 1 },
    { ...CONTROL_PLANE, current: 0 },
  ]);
  const steps: string[] = [];
  await runSimulated(cluster, { onEvent: (event) => void steps.push(stepOf(event) ?? '') });
  const after = (step: string) => steps.indexOf(step);
  expect(after('validate bastion-1')).toBeGreaterThan(-1);
  expect(after('cordon control-plane-1')).toBeGreaterThan(after('done bastion-1'));
});

test('Nodes that wait to go are tainted while the first one goes, others are not (TaintAllButOneNeedUpdate)', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('nodes', 3, 1)]);
  const tainted = (): readonly string[] =>
    ['nodes-1', 'nodes-2', 'nodes-3'].filter(
      (name) => asArray(asRecord(cluster.node(name)?.['spec'])['taints']).length > 0,
    );
  let seen: readonly string[] | undefined;
  await runSimulated(cluster, {
    onEvent: (event) => {
      if (stepOf(event)?.startsWith('delete') === true) seen ??= tainted();
    },
  });
  expect(seen).toEqual(['nodes-3']);
  expect(tainted()).toEqual([]);
});

test('a surge of more than are outdated detaches no more than these (MaxSurgeGreaterThanNeedUpdate)', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('nodes', 3, 1)], true);
  let most = 0;
  const roll = await runSimulated(cluster, {
    rules: { nodes: { maxSurge: 10 } },
    onLook: () => {
      most = Math.max(most, cluster.machines.filter(({ standing }) => standing === 'detached').length);
    },
  });
  expect(roll.state).toBe('done');
  expect(most).toBe(2);
  expect(cluster.machines.filter(({ instanceGroup }) => instanceGroup === 'nodes')).toHaveLength(3);
});

test('a machine that an earlier run detached counts for the surge (MaxSurgeAllNeedUpdateOneAlreadyDetached)', async () => {
  const cluster = await booted([CONTROL_PLANE, workers('nodes', 3)], true);
  const [first] = cluster.machines.filter(({ instanceGroup }) => instanceGroup === 'nodes');
  await cluster.fleet().detach?.(first!, new AbortController().signal);
  let most = 0;
  const roll = await runSimulated(cluster, {
    rules: { nodes: { maxSurge: 1 } },
    onLook: () => {
      most = Math.max(most, cluster.machines.filter(({ standing }) => standing === 'detached').length);
    },
  });
  expect(roll.state).toBe('done');
  expect(most).toBe(1);
  expect(cluster.machines.every(({ isCurrent, standing }) => isCurrent && standing === 'counted')).toBe(true);
});

test('a warm pool alone is rolled without a Node being touched (WarmPoolOnlyRoll)', async () => {
  const cluster = await booted([CONTROL_PLANE, { ...workers('nodes', 2, 2), warm: 2 }], true);
  const before = cluster.machines.flatMap(({ standing, id }) => (standing === 'counted' ? [id] : []));
  const steps: string[] = [];
  const roll = await runSimulated(cluster, { onEvent: (event) => void steps.push(stepOf(event) ?? '') });
  expect(roll.turns.map(({ step, standing }) => `${standing} ${step}`)).toEqual(['warm done', 'warm done']);
  expect(cluster.machines.map(({ id }) => id)).toEqual(before);
  expect(steps.filter((step) => /^(cordon|drain)/.test(step))).toEqual([]);
});
