import { expect, test } from 'vitest';
import { readRoll } from '../rolling/journal.ts';
import { SimulatedCluster, type Simulation } from '../rolling/testing/simulated-cluster.ts';
import { runSimulated } from '../rolling/testing/run-simulated.ts';

const MINUTE_MS = 60_000;
const SIMULATION: Simulation = {
  groups: [
    { name: 'cp-a', role: 'ControlPlane', count: 1, current: 1 },
    { name: 'cp-b', role: 'ControlPlane', count: 1, current: 1 },
    { name: 'cp-c', role: 'ControlPlane', count: 1, current: 1 },
    { name: 'nodes', role: 'Node', count: 4, current: 2 },
  ],
  apps: ['web'],
};
const healsAfterMs = new Map(['cp-a', 'cp-b', 'cp-c', 'nodes'].map((group) => [group, 10 * MINUTE_MS]));

async function booted(simulation: Simulation = SIMULATION): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster(simulation);
  await cluster.boot();
  return cluster;
}

/** Machines that stop answering, eleven minutes later. */
async function silenced(names: readonly string[], simulation?: Simulation): Promise<SimulatedCluster> {
  const cluster = await booted(simulation);
  for (const name of names) cluster.silence(name);
  cluster.nowMs += 11 * MINUTE_MS;
  return cluster;
}

const idsOf = (cluster: SimulatedCluster) => new Map(cluster.machines.map(({ name, id }) => [name, id]));
/** The names of the machines that another one replaced. */
const replaced = (before: ReadonlyMap<string, string>, cluster: SimulatedCluster): readonly string[] => {
  const now = new Set(cluster.machines.map(({ id }) => id));
  return [...before].flatMap(([name, id]) => (now.has(id) ? [] : [name]));
};

test.each([
  ['a worker', 'nodes-2', SIMULATION],
  ['a control plane', 'cp-b-1', SIMULATION],
  ['a worker that its group makes again', 'nodes-2', { ...SIMULATION, hasGroups: true }],
  ['a control plane that its group makes again', 'cp-b-1', { ...SIMULATION, hasGroups: true }],
])('%s that stays not Ready is replaced, and nothing else is', async (_what, name, simulation) => {
  const cluster = await silenced([name], simulation);
  const before = idsOf(cluster);
  const roll = await runSimulated(cluster, { healsAfterMs });
  expect(roll).toMatchObject({ state: 'done', purpose: 'heal', turns: [{ name, why: 'its Node is not Ready' }] });
  // Outdated machines are not what this is about.
  expect(replaced(before, cluster)).toEqual([name]);
  expect(cluster.marked).toEqual([]);
  expect(cluster.machines).toHaveLength(7);
});

test.each([
  ['', SIMULATION],
  [' that its cloud makes again', { ...SIMULATION, hasGroups: true }],
])(
  'a machine%s is replaced also where people end the machines of its group in rolling updates',
  async (_whose, simulation) => {
    const cluster = await silenced(['nodes-2'], simulation);
    const before = idsOf(cluster);
    const rules = { nodes: { drainAndTerminate: false } };
    const roll = await runSimulated(cluster, { healsAfterMs, rules });
    expect(roll).toMatchObject({ state: 'done', turns: [{ name: 'nodes-2', step: 'done' }] });
    expect(replaced(before, cluster)).toEqual(['nodes-2']);
  },
);

test('a machine that is gone is made again, where kopsctl makes machines', async () => {
  const cluster = await booted();
  const gone = cluster.machines.find(({ name }) => name === 'cp-a-1');
  cluster.removeMachine(gone?.id ?? '');
  cluster.nowMs += 11 * MINUTE_MS;
  const before = idsOf(cluster);
  expect(await runSimulated(cluster, { healsAfterMs })).toMatchObject({ state: 'done', turns: [{ name: 'cp-a-1' }] });
  expect(replaced(before, cluster)).toEqual([]);
  expect(cluster.machines.map(({ name }) => name)).toContain('cp-a-1');
});

test.each([
  ['whose group nobody asked to heal', ['nodes-2'], new Map<string, number>()],
  ['that may still recover', ['nodes-2'], new Map([['nodes', 20 * MINUTE_MS]])],
  ['while another control plane is unwell', ['cp-a-1', 'cp-b-1'], healsAfterMs],
  ['while half of them do not answer', ['nodes-1', 'nodes-2', 'nodes-3', 'nodes-4'], healsAfterMs],
])('no machine is replaced %s', async (_why, names, afterMs) => {
  const cluster = await silenced(names);
  const before = idsOf(cluster);
  expect(await runSimulated(cluster, { healsAfterMs: afterMs })).toMatchObject({ state: 'done', turns: [] });
  expect(replaced(before, cluster)).toEqual([]);
});

test.each([
  ['far ahead', 24 * 60 * MINUTE_MS],
  ['far behind', -24 * 60 * MINUTE_MS],
])('with a clock that is %s, a machine is replaced neither earlier nor later', async (_how, clockAheadMs) => {
  const cluster = await booted();
  cluster.silence('nodes-2');
  cluster.silence('nodes-3');
  const before = idsOf(cluster);
  cluster.nowMs += 9 * MINUTE_MS;
  await runSimulated(cluster, { healsAfterMs, clockAheadMs });
  expect(replaced(before, cluster)).toEqual([]);
  cluster.nowMs += 2 * MINUTE_MS;
  // The other one that is unwell does not keep this one from being valid.
  const roll = await runSimulated(cluster, { healsAfterMs, clockAheadMs });
  expect(roll).toMatchObject({ state: 'done', turns: [{ step: 'done' }] });
  expect(replaced(before, cluster)).toHaveLength(1);
});

test('of two, the one that is unwell for longer goes, and the other at the next look', async () => {
  const cluster = await booted();
  cluster.silence('nodes-3');
  cluster.nowMs += MINUTE_MS;
  cluster.silence('nodes-1');
  cluster.nowMs += 11 * MINUTE_MS;
  const before = idsOf(cluster);
  await runSimulated(cluster, { healsAfterMs });
  expect(replaced(before, cluster)).toEqual(['nodes-3']);
  await runSimulated(cluster, { healsAfterMs });
  expect(replaced(before, cluster)).toEqual(['nodes-1', 'nodes-3']);
});

test('wherever the process is killed, the next one finishes what it began, and replaces no second machine', async () => {
  let boundaries = 0;
  for (let boundary = 1; ; boundary += 1) {
    const cluster = await silenced(['nodes-2']);
    const before = idsOf(cluster);
    const killed = new Error('killed');
    let passed = 0;
    const first = await runSimulated(cluster, {
      healsAfterMs,
      onBoundary: () => {
        if ((passed += 1) === boundary) throw killed;
      },
    }).catch((error: unknown) => error);
    if (first !== killed) break;
    boundaries += 1;
    await runSimulated(cluster, { healsAfterMs });
    expect(replaced(before, cluster), `killed at ${boundary}`).toEqual(['nodes-2']);
    expect(cluster.machines).toHaveLength(7);
    expect(cluster.marked).toEqual([]);
    expect(await readRoll(cluster.store, cluster.clusterName)).toMatchObject({ state: 'done' });
  }
  expect(boundaries).toBeGreaterThan(15);
});

test('a replacement after which the cluster does not become valid fails, and is what the next run goes on with', async () => {
  const cluster = await silenced(['nodes-2']);
  cluster.broken = 'nodes';
  const wishes = { validationTimeoutMs: MINUTE_MS };
  const failed = await runSimulated(cluster, { healsAfterMs, wishes });
  expect(failed).toMatchObject({ state: 'failed', turns: [{ name: 'nodes-2', step: 'failed' }] });
  cluster.silence('nodes-3');
  cluster.nowMs += 11 * MINUTE_MS;
  cluster.broken = undefined;
  const next = await runSimulated(cluster, { healsAfterMs });
  expect(next.id).toBe(failed.id);
  expect(next).toMatchObject({ state: 'done' });
});

test("a machine that a person's failed rolling update left detached is left to people, and the unwell one is replaced", async () => {
  const simulation: Simulation = {
    ...SIMULATION,
    groups: [...SIMULATION.groups.slice(0, 3), { name: 'nodes', role: 'Node', count: 3 }],
    hasGroups: true,
  };
  const cluster = await booted(simulation);
  cluster.broken = 'nodes';
  const rules = { nodes: { drainAndTerminate: false, maxSurge: 1 } };
  const failed = await runSimulated(cluster, { rules, wishes: { validationTimeoutMs: MINUTE_MS } });
  expect(failed.state).toBe('failed');
  const detached = cluster.machines.filter(({ standing }) => standing === 'detached').map(({ id }) => id);
  expect(detached).toHaveLength(1);
  const unwell = cluster.machines.filter(({ nodeName, instanceGroup }) => {
    const node = JSON.stringify(cluster.node(nodeName) ?? {});
    return instanceGroup === 'nodes' && !node.includes('"status":"True"');
  });
  expect(unwell).toHaveLength(1);
  cluster.nowMs += 11 * MINUTE_MS;
  // It would join otherwise; the one in its place does.
  const onBoundary = (what: string): void => {
    if (what === 'after delete') cluster.broken = undefined;
  };
  const roll = await runSimulated(cluster, { healsAfterMs, rules, onBoundary });
  const ids = cluster.machines.map(({ id }) => id);
  expect(roll).toMatchObject({ state: 'done', purpose: 'heal' });
  expect(ids).toEqual(expect.arrayContaining(detached));
  expect(ids).not.toContain(unwell[0]?.id);
});
