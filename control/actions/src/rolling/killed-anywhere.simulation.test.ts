import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { readRoll } from './journal.ts';
import { SimulatedCluster, type Simulation } from './testing/simulated-cluster.ts';
import { runSimulated } from './testing/run-simulated.ts';

const SMALL: Simulation = {
  groups: [
    { name: 'control-plane', role: 'ControlPlane', count: 1 },
    { name: 'nodes', role: 'Node', count: 2 },
  ],
  apps: ['web'],
};

async function booted(simulation: Simulation): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster(simulation);
  await cluster.boot();
  return cluster;
}

/** What holds at every moment, whichever process rolls. Looked at tens of thousands of times, for which `expect` is too slow. */
function check(cluster: SimulatedCluster, { groups, apps = [] }: Simulation, budget: number): void {
  const missing = (role: string) =>
    groups
      .filter((one) => one.role === role)
      .reduce((sum, { name }) => sum + Math.max(0, cluster.unavailable(name)), 0);
  const refuse = (what: string): never => {
    throw new Error(`${what}, with a budget of ${budget}`);
  };
  if (missing('ControlPlane') > 1) refuse(`${missing('ControlPlane')} control planes are away`);
  if (missing('Node') > budget) refuse(`${missing('Node')} workers are away`);
  for (const app of apps) if (cluster.readyPods(app) < 1) refuse(`no pod of ${app} is ready`);
}

/** Runs with a process that is killed at the boundary of that number; false where it came to its end before. */
async function killedAt(
  cluster: SimulatedCluster,
  simulation: Simulation,
  boundary: number,
  budget: number,
  force = false,
): Promise<boolean> {
  let passed = 0;
  const killed = new Error('killed');
  try {
    await runSimulated(cluster, {
      wishes: { budget: String(budget) },
      force,
      onLook: () => check(cluster, simulation, budget),
      onBoundary: () => {
        check(cluster, simulation, budget);
        if ((passed += 1) === boundary) throw killed;
      },
    });
    return false;
  } catch (error) {
    if (error !== killed) throw error;
    return true;
  }
}

/** Each of the three clusters of a test is killed at its own third of the boundaries, and in the long run at all of them. */
const BETWEEN = often(3, 1);
const firstOf = (nth: number): number => often(nth, 1);

test.each([
  ['machines are made by name', SMALL, firstOf(1)],
  ['groups make machines', { ...SMALL, hasGroups: true }, firstOf(2)],
  ['groups make machines of the same names', { ...SMALL, hasGroups: true, keepsNames: true }, firstOf(3)],
])(
  'a process that is killed before or after any change leaves a cluster that the next one finishes (%s)',
  async (_how, simulation, first) => {
    let boundary = first;
    for (; ; boundary += BETWEEN) {
      const cluster = await booted(simulation);
      if (!(await killedAt(cluster, simulation, boundary, 1))) break;
      expect(await killedAt(cluster, simulation, Infinity, 1)).toBe(false);
      expect(
        cluster.machines.filter(({ isCurrent }) => !isCurrent),
        `killed at ${boundary}`,
      ).toEqual([]);
      expect(cluster.machines).toHaveLength(3);
      expect(cluster.marked, `killed at ${boundary}`).toEqual([]);
    }
    // Each of three machines has about seven steps, each with its note in the journal.
    expect(boundary).toBeGreaterThan(60);
  },
);

test.each([
  ['machines are made by name', false, true, firstOf(1)],
  ['groups make machines', true, true, firstOf(2)],
  ['groups make machines, and all are outdated', true, false, firstOf(3)],
])(
  'a forced rolling update that is killed anywhere replaces each machine once (%s)',
  async (_how, hasGroups, isCurrent, first) => {
    const groups = SMALL.groups.map((group) => ({ ...group, current: isCurrent ? group.count : 0 }));
    const simulation = { groups, hasGroups };
    for (let boundary = first; ; boundary += BETWEEN) {
      const cluster = await booted(simulation);
      if (!(await killedAt(cluster, simulation, boundary, 1, true))) break;
      // Once a rolling update is over, the next one is a new one.
      if ((await readRoll(cluster.store, cluster.clusterName))?.state === 'done') continue;
      expect(await killedAt(cluster, simulation, Infinity, 1, true)).toBe(false);
      // Each machine has a number: the first three are those that there were.
      const numbers = cluster.machines.map(({ id }) => Number(id.replace('id-', '')));
      expect(Math.min(...numbers), `killed at ${boundary}`).toBeGreaterThan(3);
      expect(Math.max(...numbers), `killed at ${boundary}`).toBe(6);
      expect(cluster.marked, `killed at ${boundary}`).toEqual([]);
    }
  },
);

const simulations = fc
  .record({
    controlPlanes: fc.constantFrom(1, 3),
    workers: fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 1, maxLength: 3 }),
    current: fc.integer({ min: 0, max: 2 }),
    hasGroups: fc.boolean(),
  })
  .map(({ controlPlanes, workers, current, hasGroups }): Simulation => ({
    groups: [
      ...Array.from({ length: controlPlanes }, (_, index) => ({
        name: `cp-${index}`,
        role: 'ControlPlane' as const,
        count: 1,
      })),
      ...workers.map((count, index) => ({ name: `nodes-${index}`, role: 'Node' as const, count, current })),
    ],
    apps: ['web', 'shop'],
    hasGroups,
  }));

test('whatever the cluster, and wherever processes are killed, the budget holds and every machine is current in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      simulations,
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
      async (simulation, budget, kills) => {
        const cluster = await booted(simulation);
        for (const boundary of kills) await killedAt(cluster, simulation, boundary, budget);
        expect(await killedAt(cluster, simulation, Infinity, budget)).toBe(false);
        expect(cluster.machines.filter(({ isCurrent }) => !isCurrent)).toEqual([]);
        expect(cluster.marked).toEqual([]);
      },
    ),
    { numRuns: often(15, 25) },
  );
});
