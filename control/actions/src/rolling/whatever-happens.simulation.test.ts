import { often } from '@kopsctl/test-suite/long.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSimulated, type SimulatedRun } from './testing/run-simulated.ts';
import { SimulatedCluster, type Simulation } from './testing/simulated-cluster.ts';

const WORKERS = ['nodes', 'jobs'] as const;

const simulations = fc
  .record({
    controlPlanes: fc.constantFrom(1, 3),
    nodes: fc.integer({ min: 1, max: 3 }),
    jobs: fc.integer({ min: 0, max: 2 }),
    current: fc.integer({ min: 0, max: 1 }),
    warm: fc.constantFrom(0, 1),
    machines: fc.constantFrom({}, { hasGroups: true }, { hasGroups: true, keepsNames: true }),
    readyAfterMs: fc.constantFrom(0, 20_000),
  })
  .map(({ controlPlanes, nodes, jobs, current, warm, machines, readyAfterMs }): Simulation => ({
    groups: [
      ...Array.from({ length: controlPlanes }, (_, index) => ({
        name: `cp-${index}`,
        role: 'ControlPlane' as const,
        count: 1,
      })),
      { name: 'nodes', role: 'Node', count: nodes, current, ...('hasGroups' in machines && { warm }) },
      { name: 'jobs', role: 'Node', count: jobs, current },
    ],
    apps: ['web'],
    ...machines,
    readyAfterMs,
  }));

/** What others do meanwhile, and what goes wrong by itself; `which` chooses among machines or groups. */
const EVENTS = {
  'the API is away for minutes': (cluster: SimulatedCluster, which: number) => {
    cluster.apiAwayUntilMs = cluster.nowMs + (1 + (which % 10)) * 60_000;
  },
  'pods may not be evicted': (cluster: SimulatedCluster) => {
    cluster.guarded = 'web';
  },
  'pods may be evicted': (cluster: SimulatedCluster) => {
    cluster.guarded = undefined;
  },
  'a worker is lost': (cluster: SimulatedCluster, which: number) => {
    const workers = cluster.machines.filter(({ role }) => role === 'Node');
    cluster.removeMachine(workers[which % Math.max(1, workers.length)]?.id ?? '');
  },
  'a machine of the warm pool is needed': (cluster: SimulatedCluster) => {
    cluster.wake('nodes-warm-1');
  },
  'another spec is applied': (cluster: SimulatedCluster, which: number) => {
    for (const role of ['ControlPlane', 'Node'] as const) cluster.applied.set(role, 1 + (which % 3));
  },
  'the size of a group is changed': (cluster: SimulatedCluster, which: number) => {
    cluster.sizes.set(WORKERS[which % WORKERS.length] ?? '', which % 4);
    cluster.update();
  },
  'machines do not work': (cluster: SimulatedCluster, which: number) => {
    cluster.broken = WORKERS[which % WORKERS.length];
  },
  'no machine can be made': (cluster: SimulatedCluster, which: number) => {
    cluster.full = WORKERS[which % WORKERS.length];
  },
  'machines can be made and work': (cluster: SimulatedCluster) => {
    cluster.broken = undefined;
    cluster.full = undefined;
  },
};
type What = keyof typeof EVENTS;

/** One process: what happens at which of its looks, after which change it is killed, and which of its answers are lost. */
const processes = fc.array(
  fc.record({
    events: fc.array(
      fc.record({
        look: fc.integer({ min: 1, max: 120 }),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
        what: fc.constantFrom(...(Object.keys(EVENTS) as What[])),
        which: fc.nat(11),
      }),
      { maxLength: 4 },
    ),
    killedAt: fc.integer({ min: 1, max: 200 }),
    lost: fc.array(fc.integer({ min: 2, max: 60 }), { maxLength: 3 }),
    manner: fc.record({
      force: fc.boolean(),
      abandons: fc.boolean(),
      inPlace: fc.constantFrom(undefined, { drains: true }, { drains: false }),
      rules: fc.constantFrom(undefined, { drainAndTerminate: false }, { maxSurge: 2, maxUnavailable: 1 }),
    }),
  }),
  { minLength: 1, maxLength: 3 },
);
type Process = (typeof processes extends fc.Arbitrary<infer All extends readonly unknown[]> ? All : never)[number];

/** Runs until the process ends by itself, which it does within hours, or is killed. */
async function run(cluster: SimulatedCluster, { events, killedAt, lost, manner }: Process): Promise<void> {
  const killed = new Error('killed');
  const endMs = cluster.nowMs + 24 * 3_600_000;
  let [looks, changes, answers] = [0, 0, 0];
  const { force, abandons, inPlace, rules } = manner;
  const simulated: SimulatedRun = {
    // Machines that are current and left to people keep their taint until they are ended.
    force: force && rules?.drainAndTerminate !== false,
    abandons,
    ...(inPlace && { inPlace }),
    ...(rules && { rules: Object.fromEntries(WORKERS.map((name) => [name, rules])) }),
    wishes: { validationTimeoutMs: 5 * 60_000 },
    drainTimeoutMs: 2 * 60_000,
    onLook: () => {
      if (cluster.nowMs > endMs) throw new Error('it does not end');
      looks += 1;
      for (const { what, which } of events.filter(({ look }) => look === looks)) EVENTS[what](cluster, which);
    },
    onBoundary: () => {
      if ((changes += 1) === killedAt) throw killed;
    },
    losesAnswer: () => lost.includes((answers += 1)),
  };
  await runSimulated(cluster, simulated).catch((error: unknown) => {
    if (error !== killed) throw error;
  });
}

/** Everything is as it should be, and the newest spec is applied. Pods that leave a machine have another one to go to. */
function calm(cluster: SimulatedCluster): void {
  cluster.sizes.set('nodes', Math.max(2, cluster.wanted('nodes')));
  EVENTS['machines can be made and work'](cluster);
  cluster.guarded = undefined;
  cluster.apiAwayUntilMs = 0;
  cluster.update();
}

test('whatever happens to a cluster and to the processes that roll it, later ones make every machine current and leave no mark', async () => {
  await fc.assert(
    fc.asyncProperty(simulations, processes, async (simulation, all) => {
      const cluster = new SimulatedCluster(simulation);
      await cluster.boot();
      for (const one of all) await run(cluster, one);
      calm(cluster);
      const rolls: string[] = [];
      for (let runs = 0; runs < 3 && rolls.at(-1) !== 'done'; runs += 1) {
        const endMs = cluster.nowMs + 24 * 3_600_000;
        const onLook = (): void => {
          if (cluster.nowMs > endMs) throw new Error('it does not end');
        };
        const { state, turns, blocked } = await runSimulated(cluster, { onLook });
        rolls.push(state === 'done' ? state : `${state}: ${blocked?.why ?? ''} ${JSON.stringify(turns)}`);
      }
      expect(rolls.at(-1)).toBe('done');
      expect(cluster.machines.filter(({ isCurrent }) => !isCurrent)).toEqual([]);
      expect(cluster.marked).toEqual([]);
      for (const { name } of simulation.groups) {
        const counted = cluster.machines.filter(
          ({ instanceGroup, standing }) => instanceGroup === name && standing === 'counted',
        );
        expect(`${name} ${counted.length}`).toBe(`${name} ${cluster.wanted(name)}`);
      }
    }),
    { numRuns: often(10, 400) },
  );
});
