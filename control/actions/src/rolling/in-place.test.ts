import { expect, test } from 'vitest';
import { SimulatedCluster, type Simulation } from './testing/simulated-cluster.ts';
import { runSimulated } from './testing/run-simulated.ts';

const SIMULATION: Simulation = {
  groups: [
    { name: 'control-plane', role: 'ControlPlane', count: 1 },
    { name: 'nodes', role: 'Node', count: 3 },
  ],
  apps: ['web'],
};

async function booted(simulation = SIMULATION): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster(simulation);
  await cluster.boot();
  return cluster;
}

const idsOf = (cluster: SimulatedCluster, group: string): readonly string[] =>
  cluster.machines.filter(({ instanceGroup }) => instanceGroup === group).map(({ id }) => id);

/** The steps that machines took, by machine. */
const stepsOf = async (cluster: SimulatedCluster, drains: boolean): Promise<ReadonlyMap<string, readonly string[]>> => {
  const steps = new Map<string, string[]>();
  await runSimulated(cluster, {
    inPlace: { drains },
    onEvent: (event) => {
      if (event.type === 'machine-step') steps.set(event.machine, [...(steps.get(event.machine) ?? []), event.step]);
    },
  });
  return steps;
};

test.each([
  [
    'is drained first where its pods would notice',
    true,
    ['cordon', 'deregister', 'drain', 'converge', 'release', 'validate', 'done'],
  ],
  ['keeps its pods where they would not', false, ['converge', 'release', 'validate', 'done']],
])('a machine that is changed in place %s, and stays', async (_what, drains, wanted) => {
  const cluster = await booted();
  const before = idsOf(cluster, 'nodes');
  const steps = await stepsOf(cluster, drains);
  expect(steps.get('nodes-1')?.filter((step) => step !== 'waiting')).toEqual(wanted);
  expect(idsOf(cluster, 'nodes')).toEqual(before);
  expect(cluster.machines.every(({ isCurrent }) => isCurrent)).toBe(true);
  expect(cluster.marked).toEqual([]);
  // What cannot be changed in place is replaced as ever.
  expect(steps.get('control-plane-1')).toContain('delete');
});

test('one machine at a time is changed, and the last pod of an app stays', async () => {
  const cluster = await booted();
  const check = (): void => {
    expect(cluster.unavailable('nodes')).toBeLessThanOrEqual(1);
    expect(cluster.readyPods('web')).toBeGreaterThanOrEqual(1);
  };
  expect(await runSimulated(cluster, { inPlace: { drains: true }, onBoundary: check, onLook: check })).toMatchObject({
    state: 'done',
  });
});

test('a machine that refuses is put back, and its group stops', async () => {
  const cluster = await booted();
  const before = idsOf(cluster, 'nodes');
  cluster.broken = 'nodes';
  const roll = await runSimulated(cluster, { inPlace: { drains: true } });
  expect(roll.state).toBe('failed');
  expect(roll.turns.filter(({ step }) => step === 'failed')).toMatchObject([
    { failure: expect.stringContaining('nodeup-adopt@') },
  ]);
  expect(idsOf(cluster, 'nodes')).toEqual(before);
  expect(cluster.marked.filter((name) => cluster.isCordoned(name))).toEqual([]);
});

test('wherever the process is killed, the next one goes on, and no machine that can stay is replaced', async () => {
  const small: Simulation = {
    groups: [
      { name: 'control-plane', role: 'ControlPlane', count: 1, current: 1 },
      { name: 'nodes', role: 'Node', count: 2 },
    ],
    apps: ['web'],
  };
  let boundaries = 0;
  for (let boundary = 1; ; boundary += 1) {
    const cluster = await booted(small);
    const before = idsOf(cluster, 'nodes');
    const killed = new Error('killed');
    let passed = 0;
    const first = await runSimulated(cluster, {
      inPlace: { drains: true },
      onBoundary: () => {
        if ((passed += 1) === boundary) throw killed;
      },
    }).catch((error: unknown) => error);
    if (first !== killed) break;
    boundaries += 1;
    await runSimulated(cluster, { inPlace: { drains: true } });
    expect(idsOf(cluster, 'nodes'), `killed at ${boundary}`).toEqual(before);
    expect(cluster.machines.every(({ isCurrent }) => isCurrent)).toBe(true);
    expect(cluster.marked, `killed at ${boundary}`).toEqual([]);
  }
  expect(boundaries).toBeGreaterThan(20);
});
