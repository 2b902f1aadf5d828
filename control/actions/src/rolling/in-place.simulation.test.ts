import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
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

test('the first machine of a group is changed alone, and the others only when it is found to work', async () => {
  const cluster = await booted({
    groups: [
      { name: 'control-plane', role: 'ControlPlane', count: 1, current: 1 },
      { name: 'nodes', role: 'Node', count: 6 },
    ],
  });
  const steps: string[] = [];
  const roll = await runSimulated(cluster, {
    inPlace: { drains: false },
    rules: { nodes: { maxUnavailable: 6, maxSurge: 0 } },
    wishes: { budget: '100%' },
    onEvent: (event) => {
      if (event.type === 'machine-step' && event.instanceGroup === 'nodes') steps.push(event.step);
    },
  });
  expect(roll.state).toBe('done');
  expect(steps.slice(0, steps.indexOf('done')).filter((step) => step === 'converge')).toHaveLength(1);
  // Then the others go together.
  expect(steps.slice(steps.indexOf('done') + 1, steps.indexOf('done') + 6)).toEqual(Array(5).fill('converge'));
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

const ALONE: Simulation = {
  groups: [
    { name: 'control-plane', role: 'ControlPlane', count: 1 },
    { name: 'nodes', role: 'Node', count: 2, current: 2 },
  ],
};
const CONTROL_PLANE = { drains: false, role: 'ControlPlane' } as const;

test.each([
  ['restarts before it says so', (cluster: SimulatedCluster) => void (cluster.apiRestartMs = 30_000), undefined],
  ['restarts afterwards', () => {}, 'release'],
])('the only control plane is changed in place, although its API server %s', async (_when, prepare, awayAt) => {
  const cluster = await booted(ALONE);
  const before = idsOf(cluster, 'control-plane');
  prepare(cluster);
  const roll = await runSimulated(cluster, {
    inPlace: CONTROL_PLANE,
    onEvent: (event) => {
      if (event.type === 'machine-step' && event.step === awayAt) cluster.apiAwayUntilMs = cluster.nowMs + 30_000;
    },
  });
  expect(roll.state).toBe('done');
  expect(idsOf(cluster, 'control-plane')).toEqual(before);
  expect(cluster.machines.every(({ isCurrent }) => isCurrent)).toBe(true);
  expect(cluster.marked).toEqual([]);
});

test('what was begun in place and failed is finished in place by the next run', async () => {
  const cluster = await booted(ALONE);
  const before = idsOf(cluster, 'control-plane');
  cluster.apiRestartMs = 3_600_000;
  const begunMs = cluster.nowMs;
  const failed = await runSimulated(cluster, { inPlace: CONTROL_PLANE });
  // Eleven minutes for the change and five for the way back, on the clock of the simulation.
  expect(cluster.nowMs - begunMs).toBeLessThan(20 * 60_000);
  expect(failed.state).toBe('failed');
  expect(failed.turns[0]?.failure).toContain('no API server answers');
  cluster.nowMs = cluster.apiAwayUntilMs;
  const roll = await runSimulated(cluster, { inPlace: CONTROL_PLANE });
  expect(roll.state).toBe('done');
  expect(idsOf(cluster, 'control-plane')).toEqual(before);
  expect(cluster.machines.every(({ isCurrent }) => isCurrent)).toBe(true);
  expect(cluster.marked).toEqual([]);
});

test('the only control plane is changed in place, and its API server never comes back: it ends, and says so', async () => {
  const cluster = await booted(ALONE);
  const endMs = cluster.nowMs + 3_600_000;
  const roll = await runSimulated(cluster, {
    inPlace: CONTROL_PLANE,
    onEvent: (event) => {
      if (event.type === 'machine-step' && event.step === 'release') cluster.apiAwayUntilMs = Number.POSITIVE_INFINITY;
    },
    onLook: () => {
      if (cluster.nowMs > endMs) throw new Error('it does not end');
    },
  });
  expect(roll.state).toBe('failed');
  expect(roll.turns[0]).toMatchObject({
    step: 'failed',
    failure: expect.stringMatching(/it may still be cordoned: .*no API server answers/),
  });
});

const SMALL: Simulation = {
  groups: [
    { name: 'control-plane', role: 'ControlPlane', count: 1, current: 1 },
    { name: 'nodes', role: 'Node', count: 2 },
  ],
  apps: ['web'],
};

/** Runs with a process that is killed at the boundary of that number; false where it came to its end before. */
async function killedAt(
  cluster: SimulatedCluster,
  boundary: number,
  inPlace: { readonly drains: boolean },
): Promise<boolean> {
  const killed = new Error('killed');
  let passed = 0;
  const onBoundary = (): void => {
    if ((passed += 1) === boundary) throw killed;
  };
  const ended = await runSimulated(cluster, { inPlace, onBoundary }).catch((error: unknown) => error);
  return ended === killed;
}

test('wherever the process is killed, the next one goes on, and no machine that can stay is replaced', async () => {
  let boundaries = 0;
  for (let boundary = 1; ; boundary += 1) {
    const cluster = await booted(SMALL);
    const before = idsOf(cluster, 'nodes');
    if (!(await killedAt(cluster, boundary, { drains: true }))) break;
    boundaries += 1;
    await runSimulated(cluster, { inPlace: { drains: true } });
    expect(idsOf(cluster, 'nodes'), `killed at ${boundary}`).toEqual(before);
    expect(cluster.machines.every(({ isCurrent }) => isCurrent)).toBe(true);
    expect(cluster.marked, `killed at ${boundary}`).toEqual([]);
  }
  expect(boundaries).toBeGreaterThan(20);
});

/** Each of the next ones meets a third of the boundaries, before changes and after them, and in the long run all. */
test.each([
  ['goes on in place', { drains: true }, { drains: true }, 1],
  ['has to be drained now', { drains: false }, { drains: true }, often(2, 1)],
  ['need not be drained any more', { drains: true }, { drains: false }, often(3, 1)],
  ['replaces machines', { drains: true }, undefined, often(2, 1)],
] as const)(
  'wherever the process is killed, and whatever is applied then, machines become what is newest (the next one %s)',
  async (_how, first, next, from) => {
    let boundary = from;
    for (let isOver = false; !isOver; boundary += often(3, 1)) {
      // A plan other than the one that the first update was about, and the one from which machines were made.
      for (const newest of [3, 1]) {
        const cluster = await booted(SMALL);
        isOver = !(await killedAt(cluster, boundary, first));
        cluster.applied.set('Node', newest);
        const roll = await runSimulated(cluster, next && { inPlace: next });
        expect(roll.state, `killed at ${boundary}`).toBe('done');
        expect(cluster.older, `killed at ${boundary}, then ${newest}`).toEqual([]);
        expect(cluster.machines.every(({ isCurrent }) => isCurrent)).toBe(true);
        expect(cluster.marked, `killed at ${boundary}`).toEqual([]);
      }
    }
    expect(boundary).toBeGreaterThan(20);
  },
);
