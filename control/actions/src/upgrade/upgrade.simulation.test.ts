import { often } from '@kopsctl/test-suite/long.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SimulatedCluster, type Simulation } from '../rolling/testing/simulated-cluster.ts';
import type { Stage } from './operation.ts';
import { changeOperation, readOperation } from './operation-journal.ts';
import { type SimulatedUpgrade, upgradeSimulated } from './testing/upgrade-simulated.ts';

/** The simulated machines were made from 1, and the upgrade leads by way of 2 to 3. */
const VERSIONS = [2, 3];

const SMALL: Simulation = {
  groups: [
    { name: 'control-plane', role: 'ControlPlane', count: 1 },
    { name: 'nodes', role: 'Node', count: 2 },
  ],
  apps: ['web'],
};

async function booted(simulation: Simulation): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster(simulation);
  for (const role of ['ControlPlane', 'APIServer', 'Node', 'Bastion'] as const) cluster.applied.set(role, 1);
  await cluster.boot();
  return cluster;
}

/**
 * What holds at every moment: the version skew that Kubernetes supports, and the budget. Looked at tens of thousands of
 * times, for which `expect` is too slow.
 */
function check(cluster: SimulatedCluster, { groups, apps = [] }: Simulation): void {
  const [servers, kubelets] = [cluster.configs('ControlPlane'), cluster.configs('Node')];
  const refuse = (what: string): never => {
    throw new Error(`${what}: API servers ${servers.join()}, kubelets ${kubelets.join()}`);
  };
  if (Math.max(...servers) - Math.min(...servers) > 1) refuse('API servers are two minor versions apart');
  // Also while the only control plane is away: its API server does not come back with an older version.
  const oldestServer = servers.length === 0 ? Math.max(...kubelets) : Math.min(...servers);
  for (const kubelet of kubelets) {
    if (kubelet > oldestServer) refuse('a kubelet is newer than an API server');
    if (Math.max(...servers, kubelet) - kubelet > 1) refuse('a kubelet is two minor versions behind');
  }
  const missing = (role: string) =>
    groups
      .filter((one) => one.role === role)
      .reduce((sum, { name }) => sum + Math.max(0, cluster.unavailable(name)), 0);
  if (missing('ControlPlane') > 1) refuse('two control planes are away');
  if (missing('Node') > 1) refuse('two workers are away');
  for (const app of apps) if (cluster.readyPods(app) < 1) refuse(`no pod of ${app} is ready`);
}

const areAll = (cluster: SimulatedCluster, version: number): boolean =>
  [...cluster.configs('ControlPlane'), ...cluster.configs('Node')].every((config) => config === version);

/** Runs with a process that is killed at the boundary of that number; false where it came to its end before. */
async function killedAt(cluster: SimulatedCluster, simulation: Simulation, boundary: number): Promise<boolean> {
  let passed = 0;
  const killed = new Error('killed');
  const run: SimulatedUpgrade = {
    versions: VERSIONS,
    wishes: { budget: '1' },
    onLook: () => check(cluster, simulation),
    onBoundary: () => {
      check(cluster, simulation);
      if ((passed += 1) >= boundary) throw killed;
    },
  };
  try {
    const { state } = await upgradeSimulated(cluster, run);
    expect(state).toBe('done');
    return false;
  } catch (error) {
    if (error !== killed) throw error;
    return true;
  }
}

test('an upgrade goes minor by minor, each time control planes before all other machines', async () => {
  const cluster = await booted(SMALL);
  const seen: string[] = [];
  const onStage = ({ what, kubernetes }: Stage) => {
    const runs = [...cluster.configs('ControlPlane'), ...cluster.configs('Node')].join('');
    seen.push(`${kubernetes} ${what}: ${runs}`);
  };
  expect((await upgradeSimulated(cluster, { versions: VERSIONS, onStage })).state).toBe('done');
  expect(seen).toEqual([
    '2 set-spec: 111',
    '2 update-control-planes: 111',
    '2 roll-control-planes: 111',
    '2 update: 211',
    '2 roll: 211',
    '3 set-spec: 222',
    '3 update-control-planes: 222',
    '3 roll-control-planes: 222',
    '3 update: 322',
    '3 roll: 322',
  ]);
  expect(areAll(cluster, 3)).toBe(true);
});

test('an upgrade goes on where its state store does not answer for a moment, whatever it was asked to write', async () => {
  const cluster = await booted(SMALL);
  let writes = 0;
  const losesAnswer = () => (writes += 1) % 2 === 1;
  expect((await upgradeSimulated(cluster, { versions: VERSIONS, losesAnswer })).state).toBe('done');
  expect(areAll(cluster, 3)).toBe(true);
  expect(await readOperation(cluster.store, cluster.clusterName)).toMatchObject({ state: 'done' });
  // Each stage is written when it begins and when it ends, and each write is answered at the second attempt.
  expect(writes).toBeGreaterThan(40);
});

test('an upgrade that is killed before or after any change is finished by the next process', async () => {
  const boundaries: string[] = [];
  const whole = await booted(SMALL);
  await upgradeSimulated(whole, { versions: VERSIONS, onBoundary: (what) => void boundaries.push(what) });
  // Two versions, for each of which three machines are replaced in four stages.
  expect(boundaries.length).toBeGreaterThan(150);
  for (const [index, what] of boundaries.entries()) {
    // Those of rolling updates are all tried by themselves.
    const isStage = /note|update|set-spec/.test(what);
    if (!isStage && index % often(12, 1) !== 0) continue;
    const cluster = await booted(SMALL);
    expect(await killedAt(cluster, SMALL, index + 1)).toBe(true);
    expect(await killedAt(cluster, SMALL, Infinity), `killed ${what}, ${index}`).toBe(false);
    expect(areAll(cluster, 3), `killed ${what}, ${index}`).toBe(true);
    expect(cluster.marked, `killed ${what}, ${index}`).toEqual([]);
  }
});

test('whatever the cluster, and however often it is killed, the skew holds and all machines are new in the end', async () => {
  const simulations = fc.record({
    controlPlanes: fc.constantFrom(1, 3),
    workers: fc.array(fc.integer({ min: 2, max: 3 }), { minLength: 1, maxLength: 2 }),
    hasGroups: fc.boolean(),
  });
  const kills = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(simulations, kills, async ({ controlPlanes, workers, hasGroups }, boundaries) => {
      const simulation: Simulation = {
        groups: [
          ...Array.from({ length: controlPlanes }, (_, index) => ({
            name: `cp-${index}`,
            role: 'ControlPlane' as const,
            count: 1,
          })),
          ...workers.map((count, index) => ({ name: `nodes-${index}`, role: 'Node' as const, count })),
        ],
        apps: ['web'],
        hasGroups,
      };
      const cluster = await booted(simulation);
      for (const boundary of boundaries) await killedAt(cluster, simulation, boundary);
      expect(await killedAt(cluster, simulation, Infinity)).toBe(false);
      expect(areAll(cluster, 3)).toBe(true);
      expect(cluster.marked).toEqual([]);
    }),
    { numRuns: often(8, 100) },
  );
});

describe('a person', () => {
  const { signal } = new AbortController();
  const ask = (cluster: SimulatedCluster, wish: 'pause' | 'abort') =>
    changeOperation(cluster.store, cluster.clusterName, (one) => ({ ...one, wish }), signal);

  test('a person who pauses an upgrade sees its stage finished and no other begun, and can resume it', async () => {
    const cluster = await booted(SMALL);
    const onEvent: SimulatedUpgrade['onEvent'] = (event) => {
      if (event.type === 'machine-step' && event.step === 'make') void ask(cluster, 'pause');
    };
    const paused = await upgradeSimulated(cluster, { versions: VERSIONS, onEvent });
    expect(paused.state).toBe('paused');
    expect(paused.stages.filter(({ state }) => state === 'done')).toHaveLength(3);
    expect(cluster.configs('Node')).toEqual([1, 1]);
    expect((await upgradeSimulated(cluster, { versions: VERSIONS })).state).toBe('done');
    expect(areAll(cluster, 3)).toBe(true);
  });

  test('a person who aborts an upgrade finds the cluster at the version that it had reached; another one begins there', async () => {
    const cluster = await booted(SMALL);
    const onStage = ({ what }: Stage) => {
      if (what === 'update') void ask(cluster, 'abort');
    };
    expect((await upgradeSimulated(cluster, { versions: VERSIONS, onStage })).state).toBe('aborted');
    expect([cluster.configs('ControlPlane'), cluster.configs('Node')]).toEqual([[2], [1, 1]]);
    expect((await upgradeSimulated(cluster, { versions: VERSIONS })).state).toBe('done');
    expect(areAll(cluster, 3)).toBe(true);
  });

  test('a person who stops the process leaves nothing cordoned, and the journal says where it stands', async () => {
    const cluster = await booted(SMALL);
    const stop = new AbortController();
    const onEvent: SimulatedUpgrade['onEvent'] = (event) => {
      if (event.type === 'machine-step' && event.step === 'drain' && event.instanceGroup === 'nodes') stop.abort();
    };
    const stopped = await upgradeSimulated(cluster, { versions: VERSIONS, onEvent, stop: stop.signal });
    expect(stopped.state).toBe('stopped');
    expect(cluster.marked.filter((name) => cluster.isCordoned(name))).toEqual([]);
    const noted = await readOperation(cluster.store, cluster.clusterName);
    expect(noted?.stages.find(({ state }) => state === 'running')).toMatchObject({ what: 'roll', kubernetes: '2' });
    expect((await upgradeSimulated(cluster, { versions: VERSIONS })).state).toBe('done');
  });
});

test('a control plane that does not come back ends an upgrade before any worker is touched', async () => {
  const cluster = await booted(SMALL);
  cluster.broken = 'control-plane';
  const failed = await upgradeSimulated(cluster, { versions: VERSIONS, wishes: { validationTimeoutMs: 60_000 } });
  expect(failed.state).toBe('failed');
  expect(cluster.configs('Node')).toEqual([1, 1]);
  expect(failed.stages.find(({ state }) => state === 'running')).toMatchObject({ what: 'roll-control-planes' });
});
