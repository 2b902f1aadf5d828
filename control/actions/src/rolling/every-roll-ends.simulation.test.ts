import { KubeError } from '@kopsctl/kube/client.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Roll, Turn } from './roll.ts';
import { runSimulated, type SimulatedRun } from './testing/run-simulated.ts';
import { SimulatedCluster, type Simulation } from './testing/simulated-cluster.ts';

const GROUPS = ['control-plane', 'bastions', 'apis', 'nodes', 'jobs'];
const rules = fc.record(
  {
    drainAndTerminate: fc.boolean(),
    maxSurge: fc.integer({ min: 0, max: 2 }),
    maxUnavailable: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: [] },
);
const size = fc.record({ count: fc.integer({ min: 0, max: 3 }), current: fc.integer({ min: 0, max: 1 }) });
const simulations = fc
  .record({ bastions: size, apis: size, nodes: size, jobs: size, hasGroups: fc.boolean(), warm: fc.constantFrom(0, 1) })
  .map(({ bastions, apis, nodes, jobs, hasGroups, warm }): Simulation => ({
    groups: [
      { name: 'control-plane', role: 'ControlPlane', count: 1 },
      { name: 'bastions', role: 'Bastion', ...bastions },
      { name: 'apis', role: 'APIServer', ...apis },
      { name: 'nodes', role: 'Node', ...nodes, ...(hasGroups && { warm }) },
      { name: 'jobs', role: 'Node', ...jobs },
    ],
    apps: ['web'],
    hasGroups,
  }));
const manner = fc.record({
  rules: fc.record(Object.fromEntries(GROUPS.map((name) => [name, rules]))),
  budget: fc.constantFrom('1', '50%', '100%'),
  force: fc.boolean(),
  failOnDrainError: fc.boolean(),
  failOnValidateError: fc.boolean(),
  inPlace: fc.constantFrom(undefined, { drains: true }, { drains: false }),
});
const faults = fc.record({
  broken: fc.constantFrom(undefined, ...GROUPS),
  guarded: fc.boolean(),
  cannotDetach: fc.boolean(),
  cannotDrain: fc.constantFrom(undefined, ...GROUPS),
  unready: fc.constantFrom(undefined, 'apis-1', 'nodes-1', 'jobs-1'),
});

interface Faults {
  readonly broken: string | undefined;
  readonly guarded: boolean;
  readonly cannotDetach: boolean;
  /** Pods of Nodes of this group are not shown. */
  readonly cannotDrain: string | undefined;
  readonly unready: string | undefined;
}

async function faulty(simulation: Simulation, { cannotDrain, unready, guarded, ...more }: Faults) {
  const cluster = new SimulatedCluster(simulation);
  await cluster.boot();
  Object.assign(cluster, more, { guarded: guarded ? 'web' : undefined });
  if (unready !== undefined && cluster.machines.some(({ name }) => name === unready)) cluster.silence(unready);
  const kube = cluster.kube.bind(cluster);
  cluster.kube = () => ({
    ...kube(),
    get: async (path, signal) => {
      if (cannotDrain !== undefined && path.includes(`spec.nodeName%3D${cannotDrain}`)) {
        throw new KubeError(`GET ${path}`, 403, 'forbidden');
      }
      return kube().get(path, signal);
    },
  });
  return cluster;
}

/** What a person would not understand of how it ended. */
function unexplained({ state, turns, blocked }: Roll, own: SimulatedRun['rules'] = {}): readonly string[] {
  const isPrepared = ({ step, instanceGroup }: Turn): boolean =>
    (step === 'waiting' || step === 'surplus') && own[instanceGroup]?.drainAndTerminate === false;
  if (state === 'done') {
    return turns.flatMap((turn) => (turn.step === 'done' || isPrepared(turn) ? [] : [`${turn.name} ${turn.step}`]));
  }
  const whys = [blocked?.why, ...turns.flatMap(({ step, failure }) => (step === 'failed' ? [failure] : []))];
  return state === 'failed' && whys.some((why) => why !== undefined) ? [] : [`${state}, without a reason`];
}

test('Whatever the cluster, its rules, and what fails, a rolling update ends, says why it is not done, and so does the next', async () => {
  await fc.assert(
    fc.asyncProperty(
      simulations,
      manner,
      faults,
      async (simulation, { rules: own, force, inPlace, ...wishes }, what) => {
        const cluster = await faulty(simulation, what);
        const run: SimulatedRun = {
          rules: own,
          force,
          ...(inPlace && { inPlace }),
          wishes: { ...wishes, validationTimeoutMs: 60_000 },
          drainTimeoutMs: 30_000,
        };
        for (let runs = 0; runs < 2; runs += 1) {
          const endMs = cluster.nowMs + 6 * 3_600_000;
          const onLook = (): void => {
            if (cluster.nowMs > endMs) throw new Error('it does not end');
          };
          expect(unexplained(await runSimulated(cluster, { ...run, onLook }), own)).toEqual([]);
        }
      },
    ),
    { numRuns: 40 },
  );
});
