import { KubeError } from '@kopsctl/kube/client.ts';
import type { Fleet } from '@kopsctl/model/fleet.ts';
import { publishStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { expect, test } from 'vitest';
import type { RollEvent } from './roll-events.ts';
import { changeRollWish } from './journal.ts';
import { SimulatedCluster, type Simulation } from './testing/simulated-cluster.ts';
import { runSimulated, type SimulatedRun } from './testing/run-simulated.ts';

const SMALL: Simulation = {
  groups: [
    { name: 'control-plane', role: 'ControlPlane', count: 1 },
    { name: 'nodes', role: 'Node', count: 2 },
  ],
  apps: ['web'],
};
const LARGE: Simulation = {
  groups: [
    { name: 'cp-a', role: 'ControlPlane', count: 1 },
    { name: 'cp-b', role: 'ControlPlane', count: 1 },
    { name: 'cp-c', role: 'ControlPlane', count: 1 },
    { name: 'bastions', role: 'Bastion', count: 2 },
    { name: 'apps', role: 'Node', count: 4 },
    { name: 'jobs', role: 'Node', count: 4 },
  ],
  apps: ['web', 'shop'],
};
const inCloud = (simulation: Simulation): Simulation => ({ ...simulation, hasGroups: true });

async function booted(simulation: Simulation): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster(simulation);
  await cluster.boot();
  return cluster;
}

const areCurrent = (cluster: SimulatedCluster): boolean => cluster.machines.every(({ isCurrent }) => isCurrent);

/** The machines in the order in which a step of them began. */
function recorder() {
  const events: RollEvent[] = [];
  return {
    events,
    onEvent: (event: RollEvent) => void events.push(event),
    order: (step: string) =>
      events.flatMap((event) => (event.type === 'machine-step' && event.step === step ? [event.machine] : [])),
  };
}

/** Calls `check` at every look and at every change. */
const always = (check: () => void): Pick<SimulatedRun, 'onBoundary' | 'onLook'> => ({
  onBoundary: check,
  onLook: check,
});

/** Rolls until an event happens, and is killed then. */
async function killedWhen(
  cluster: SimulatedCluster,
  happens: (event: Extract<RollEvent, { readonly type: 'machine-step' }>) => boolean,
  run: SimulatedRun = {},
): Promise<void> {
  const killed = new Error('killed');
  let isOver = false;
  const rolls = runSimulated(cluster, {
    ...run,
    onEvent: (event) => {
      isOver ||= event.type === 'machine-step' && happens(event);
    },
    onBoundary: () => {
      if (isOver) throw killed;
    },
  });
  await expect(rolls).rejects.toBe(killed);
}

/** A look that finds hours gone: a rolling update that is still undecided then never ends. */
const endingAt = (cluster: SimulatedCluster): (() => void) => {
  const endMs = cluster.nowMs + 3 * 3_600_000;
  return () => {
    if (cluster.nowMs > endMs) throw new Error('it does not end');
  };
};

test.each([
  ['a small cluster whose machines kopsctl makes', SMALL],
  ['a large one', LARGE],
  ['a small cluster whose machines groups make', inCloud(SMALL)],
  ['a large one of groups', inCloud(LARGE)],
])('every machine of %s is replaced, and no Node stays cordoned', async (_what, simulation) => {
  const cluster = await booted(simulation);
  const roll = await runSimulated(cluster);
  expect(roll.state).toBe('done');
  expect(areCurrent(cluster)).toBe(true);
  expect(cluster.marked).toEqual([]);
  expect(cluster.machines).toHaveLength(simulation.groups.reduce((sum, { count }) => sum + count, 0));
});

test('a cluster without an outdated machine is left as it is', async () => {
  const cluster = await booted({ groups: SMALL.groups.map((group) => ({ ...group, current: group.count })) });
  const before = cluster.machines.map(({ id }) => id);
  const roll = await runSimulated(cluster);
  expect(roll).toMatchObject({ state: 'done', turns: [] });
  expect(cluster.machines.map(({ id }) => id)).toEqual(before);
});

test('with --force, machines that are current are replaced as well', async () => {
  const cluster = await booted({ groups: SMALL.groups.map((group) => ({ ...group, current: group.count })) });
  const before = new Set(cluster.machines.map(({ id }) => id));
  expect((await runSimulated(cluster, { force: true })).state).toBe('done');
  expect(cluster.machines.filter(({ id }) => before.has(id))).toEqual([]);
});

test.each([
  ['kopsctl makes machines', {}],
  ['groups make machines of the same names', { hasGroups: true, keepsNames: true }],
  ['groups make machines', { hasGroups: true }],
])('a machine whose Node is marked as needing an update is replaced once (%s)', async (_how, more) => {
  const cluster = await booted({
    groups: SMALL.groups.map((group) => ({ ...group, current: group.count })),
    ...more,
  });
  const annotations = { 'kops.k8s.io/needs-update': '' };
  cluster.changeNode('nodes-2', { metadata: { annotations } });
  const roll = await runSimulated(cluster);
  expect(roll.turns.map(({ name, step }) => `${name} ${step}`)).toEqual(['nodes-2 done']);
  expect(cluster.marked).toEqual([]);
  expect((await runSimulated(cluster)).turns).toEqual([]);
});

test('bastions go first, then control planes one at a time, then the rest', async () => {
  const cluster = await booted(LARGE);
  const { onEvent, order, events } = recorder();
  await runSimulated(cluster, { onEvent });
  expect(order('done').slice(0, 5)).toEqual(['bastions-1', 'bastions-2', 'cp-a-1', 'cp-b-1', 'cp-c-1']);
  const steps = events.flatMap((event) =>
    event.type === 'machine-step' && event.machine.startsWith('cp-') ? [`${event.step} ${event.machine}`] : [],
  );
  expect(steps.filter((step) => /^(cordon|done)/.test(step))).toEqual(
    ['cp-a-1', 'cp-b-1', 'cp-c-1'].flatMap((name) => [`cordon ${name}`, `done ${name}`]),
  );
});

test.each([
  ['by name', LARGE],
  ['by groups', inCloud(LARGE)],
])(
  'never is more missing than the budget, two control planes, or the last pod of an app (%s)',
  async (_how, simulation) => {
    const cluster = await booted(simulation);
    const workers = ['apps', 'jobs'];
    let most = 0;
    await runSimulated(
      cluster,
      always(() => {
        const controlPlanes = ['cp-a', 'cp-b', 'cp-c'].reduce((sum, group) => sum + cluster.unavailable(group), 0);
        expect(controlPlanes).toBeLessThanOrEqual(1);
        const missing = workers.map((group) => cluster.unavailable(group));
        for (const count of missing) expect(count).toBeLessThanOrEqual(1);
        most = Math.max(
          most,
          missing.reduce((sum, count) => sum + Math.max(0, count), 0),
        );
        for (const app of ['web', 'shop']) expect(cluster.readyPods(app)).toBeGreaterThanOrEqual(1);
      }),
    );
    // Two of 13 machines: the groups go beside each other. With a surge none is missing.
    expect(most).toBe(simulation.hasGroups === true ? 0 : 2);
  },
);

test('the first machine of a group goes alone, and the others only when it works', async () => {
  const cluster = await booted({ groups: [SMALL.groups[0]!, { name: 'nodes', role: 'Node', count: 8 }] });
  const { onEvent, events } = recorder();
  await runSimulated(cluster, { onEvent, rules: { nodes: { maxUnavailable: 4 } }, wishes: { budget: '100%' } });
  const ofNodes = events.flatMap((event) =>
    event.type === 'machine-step' && event.instanceGroup === 'nodes' ? [event.step] : [],
  );
  expect(ofNodes.indexOf('done')).toBeLessThan(ofNodes.indexOf('cordon', ofNodes.indexOf('cordon') + 1));
});

test('a group whose first new machine does not work loses only that one', async () => {
  const cluster = await booted(LARGE);
  cluster.broken = 'apps';
  const roll = await runSimulated(cluster, { wishes: { validationTimeoutMs: 60_000 } });
  expect(roll.state).toBe('failed');
  const [failed, ...more] = roll.turns.filter(({ step }) => step === 'failed');
  expect(more).toEqual([]);
  expect(failed?.failure).toContain('the cluster is not valid 60 s after it');
  expect(cluster.machines.filter(({ instanceGroup, isCurrent }) => instanceGroup === 'apps' && isCurrent)).toHaveLength(
    1,
  );
});

test('a control plane that does not come back stops everything', async () => {
  const cluster = await booted(LARGE);
  cluster.broken = 'cp-a';
  const roll = await runSimulated(cluster, { wishes: { validationTimeoutMs: 60_000 } });
  expect(roll.state).toBe('failed');
  const untouched = roll.turns.filter(({ step }) => step === 'waiting').map(({ instanceGroup }) => instanceGroup);
  expect(new Set(untouched)).toEqual(new Set(['cp-b', 'cp-c', 'apps', 'jobs']));
});

test('a group that cannot be drained is put back, and others go on', async () => {
  const cluster = await booted({ ...LARGE, apps: ['web'] });
  cluster.guarded = 'web';
  const roll = await runSimulated(cluster, { drainTimeoutMs: 30_000 });
  expect(roll.state).toBe('failed');
  const failed = roll.turns.filter(({ step }) => step === 'failed');
  expect(failed.length).toBeGreaterThan(0);
  expect(failed[0]?.failure).toMatch(/^cannot drain .*default\/web-\d .*disruption budget/);
  for (const { node } of failed) expect(cluster.node(node)?.['spec']).not.toHaveProperty('unschedulable');
});

const cut = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

test.each([
  ['the connection is cut', cut],
  ['etcd elects another leader', () => new KubeError('PATCH', 500, 'etcdserver: leader changed')],
])('a step that fails once, because %s, is repeated, and nothing else fails', async (_why, failure) => {
  const cluster = await booted(inCloud(SMALL));
  const [kube, fleet] = [cluster.kube.bind(cluster), cluster.fleet.bind(cluster)];
  const failed = new Set<string>();
  const failing =
    <Args extends readonly unknown[], Result>(what: string, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      // The answer is lost, what was asked for is done.
      const result = await work(...args);
      if (failed.has(what)) return result;
      failed.add(what);
      throw failure();
    };
  cluster.kube = () => {
    const api = kube();
    const pods = failing('pods', api.get);
    return {
      ...api,
      get: (path, signal) => (path.startsWith('/api/v1/pods') ? pods(path, signal) : api.get(path, signal)),
      create: failing('evict', api.create),
      mergePatch: failing('patch', api.mergePatch),
    };
  };
  cluster.fleet = () => {
    const machines = fleet();
    return {
      ...machines,
      deregister: failing('deregister', async (...args: Parameters<Fleet['deregister']>) =>
        machines.deregister(...args),
      ),
      delete: failing('delete', async (...args: Parameters<Fleet['delete']>) => machines.delete(...args)),
    };
  };
  const read = cluster.store.read.bind(cluster.store);
  let reads = 0;
  Object.assign(cluster.store, {
    read: async (...args: Parameters<typeof read>) => {
      if (args[0].endsWith('rolling-update.json') && (reads += 1) === 5) throw failure();
      return read(...args);
    },
  });
  const { events, onEvent } = recorder();
  const roll = await runSimulated(cluster, { onEvent });
  expect(roll.state).toBe('done');
  expect([...failed].toSorted()).toEqual(['delete', 'deregister', 'evict', 'patch', 'pods']);
  expect(reads).toBeGreaterThan(5);
  expect(areCurrent(cluster)).toBe(true);
  expect(cluster.marked).toEqual([]);
  expect(events.filter((event) => event.type === 'note' && event.line.startsWith('trying again: '))).not.toEqual([]);
});

test('a step that fails for longer than a minute ends the turn of its machine, with the last reason', async () => {
  const cluster = await booted(SMALL);
  const kube = cluster.kube.bind(cluster);
  cluster.kube = () => ({
    ...kube(),
    mergePatch: async () => {
      throw cut();
    },
  });
  const begunMs = cluster.nowMs;
  const roll = await runSimulated(cluster, { onLook: endingAt(cluster) });
  expect(roll.state).toBe('failed');
  const [failed] = roll.turns.filter(({ step }) => step === 'failed');
  expect(failed).toMatchObject({ role: 'ControlPlane', failure: expect.stringContaining('ECONNRESET') });
  expect(cluster.nowMs - begunMs).toBeGreaterThan(60_000);
});

test('an API that is away for minutes while a machine is drained leaves no Node cordoned', async () => {
  const cluster = await booted(SMALL);
  const roll = await runSimulated(cluster, {
    roles: ['Node'],
    onEvent: (event) => {
      if (event.type === 'machine-step' && event.step === 'drain') cluster.apiAwayUntilMs = cluster.nowMs + 6 * 60_000;
    },
    onLook: endingAt(cluster),
  });
  expect(roll.turns.filter(({ step }) => step === 'failed').map(({ failure }) => failure)).toEqual([
    expect.not.stringContaining('still be cordoned'),
  ]);
  expect(cluster.machines.filter(({ nodeName }) => cluster.isCordoned(nodeName))).toEqual([]);
  expect((await runSimulated(cluster, { roles: ['Node'] })).state).toBe('done');
});

test('where a person says so, a machine that cannot be drained goes nevertheless', async () => {
  const cluster = await booted(SMALL);
  cluster.guarded = 'web';
  const roll = await runSimulated(cluster, { drainTimeoutMs: 30_000, wishes: { failOnDrainError: false } });
  expect(roll.state).toBe('done');
  expect(areCurrent(cluster)).toBe(true);
});

test('nothing begins in a cluster that is not valid, and it is said why', async () => {
  const cluster = await booted({ groups: [SMALL.groups[0]!, { name: 'nodes', role: 'Node', count: 2, current: 1 }] });
  cluster.changeNode('nodes-1', { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
  const ofNodes = () => cluster.machines.flatMap(({ instanceGroup, id }) => (instanceGroup === 'nodes' ? [id] : []));
  const before = ofNodes();
  const roll = await runSimulated(cluster, { wishes: { validationTimeoutMs: 60_000 } });
  expect(roll.state).toBe('failed');
  expect(roll.blocked?.why).toContain('nodes-1');
  expect(ofNodes()).toEqual(before);
});

test('a machine that does not work is the first of its group to go', async () => {
  const cluster = await booted({ ...SMALL, apps: [] });
  cluster.changeNode('nodes-2', { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
  const { onEvent, order } = recorder();
  const roll = await runSimulated(cluster, { onEvent });
  expect(roll.state).toBe('done');
  expect(order('done')).toEqual(['control-plane-1', 'nodes-2', 'nodes-1']);
});

test('no control plane goes while another member of etcd does not serve', async () => {
  const cluster = await booted(LARGE);
  const path = 'demo/backups/etcd/main/control/status/cp-c-1.json';
  const { bytes, version } = (await cluster.store.read(path))!;
  const told = JSON.parse(new TextDecoder().decode(bytes));
  let isAway = true;
  const tick = cluster.tick.bind(cluster);
  // The machine is fine, its member is not.
  cluster.tick = async () => {
    await tick();
    const now = await cluster.store.read(path);
    if (isAway && now !== undefined)
      await cluster.store.write(path, Buffer.from(JSON.stringify({ ...told, etcd: undefined })), {
        ifVersion: now.version,
      });
  };
  expect(version).toBeDefined();
  const stopped = await runSimulated(cluster, { wishes: { validationTimeoutMs: 30_000 } });
  expect(stopped.state).toBe('failed');
  expect(stopped.turns.filter(({ role, step }) => role === 'ControlPlane' && step === 'done')).toEqual([]);
  isAway = false;
  expect((await runSimulated(cluster)).state).toBe('done');
  expect(areCurrent(cluster)).toBe(true);
});

test("what a member that etcd and the spec no longer have wrote last is in nobody's way", async () => {
  const cluster = await booted(LARGE);
  await publishStatus(cluster.store, 'demo/backups/etcd/main', {
    member: 'cp-d-1',
    address: '10.0.0.99',
    updatedAt: new Date(cluster.nowMs - 86_400_000).toISOString(),
    decision: 'nothing: serving',
    isLeader: false,
    wantedVersion: '3.6.0',
  });
  expect((await runSimulated(cluster)).state).toBe('done');
});

test('after the only API server was away, no pod leaves a machine before Services on all others are up to date', async () => {
  const cluster = await booted(SMALL);
  const drained: boolean[] = [];
  const { order, onEvent } = recorder();
  await runSimulated(cluster, {
    onEvent(event) {
      onEvent(event);
      if (event.type === 'machine-step' && event.step === 'drain') drained.push(cluster.isUpToDate);
    },
  });
  expect(order('drain')).toHaveLength(3);
  expect(drained).toEqual([true, true, true]);
});

test('a watch that never comes back holds a roll up for a minute', async () => {
  const cluster = await booted(SMALL);
  const kube = cluster.kube.bind(cluster);
  cluster.kube = () => ({
    ...kube(),
    // A person watched, too, until the machine of the API server went.
    text: async (path, signal) => {
      const isOld = cluster.machines.some(({ role, isCurrent }) => role === 'ControlPlane' && !isCurrent);
      return (await kube().text(path, signal)).replace(/\d+$/m, (count) => String(Number(count) + (isOld ? 1 : 0)));
    },
  });
  const startMs = cluster.nowMs;
  expect((await runSimulated(cluster)).state).toBe('done');
  expect(cluster.nowMs - startMs).toBeGreaterThan(60_000);
  expect(cluster.nowMs - startMs).toBeLessThan(180_000);
});

test('with --cloudonly the API is never asked', async () => {
  const cluster = await booted(SMALL);
  cluster.kube = () => {
    const refuse = async () => Promise.reject(new Error('asked the API'));
    return { get: refuse, text: refuse, timeMs: refuse, create: refuse, mergePatch: refuse, remove: refuse };
  };
  const roll = await runSimulated(cluster, { wishes: { cloudOnly: true } });
  expect(roll.state).toBe('done');
  expect(areCurrent(cluster)).toBe(true);
});

const PREPARED: SimulatedRun = { rules: { nodes: { drainAndTerminate: false } } };

/** The Nodes that have kops's taint. */
const tainted = (cluster: SimulatedCluster): readonly string[] =>
  cluster.machines.flatMap(({ nodeName }) =>
    JSON.stringify(cluster.node(nodeName) ?? {}).includes('kops.k8s.io/scheduled-for-update') ? [nodeName] : [],
  );

test('machines are only prepared where drainAndTerminate is false: their Nodes are tainted, and not cordoned', async () => {
  const cluster = await booted(SMALL);
  const roll = await runSimulated(cluster, { ...PREPARED, onLook: endingAt(cluster) });
  expect(roll.state).toBe('done');
  expect(roll.turns.map(({ name, step }) => `${name} ${step}`)).toEqual([
    'control-plane-1 done',
    'nodes-1 waiting',
    'nodes-2 waiting',
  ]);
  expect(tainted(cluster)).toEqual(['nodes-1', 'nodes-2']);
  expect(tainted(cluster).filter((name) => cluster.isCordoned(name))).toEqual([]);
});

test('where drainAndTerminate is false, detached machines are tainted too, and those in their place are not', async () => {
  const cluster = await booted(inCloud(SMALL));
  const rules = { nodes: { drainAndTerminate: false, maxSurge: 1 } };
  expect((await runSimulated(cluster, { rules, onLook: endingAt(cluster) })).state).toBe('done');
  expect(tainted(cluster)).toEqual(['nodes-1', 'nodes-2']);
  expect(cluster.machines).toHaveLength(4);
});

test('with --cloudonly, machines that people end are not tainted', async () => {
  const cluster = await booted(SMALL);
  const run = { ...PREPARED, wishes: { cloudOnly: true }, onLook: endingAt(cluster) };
  expect((await runSimulated(cluster, run)).state).toBe('done');
  expect(tainted(cluster)).toEqual([]);
});

test('a machine that people end and that cannot be tainted has failed, with the reason', async () => {
  const cluster = await booted(SMALL);
  const kube = cluster.kube();
  cluster.kube = () => ({
    ...kube,
    mergePatch: async (path, patch, signal) => {
      if (path.endsWith('/nodes-2')) throw new KubeError(`PATCH ${path}`, 403, 'nodes "nodes-2" is forbidden');
      return kube.mergePatch(path, patch, signal);
    },
  });
  const roll = await runSimulated(cluster, { ...PREPARED, onLook: endingAt(cluster) });
  expect(roll.state).toBe('failed');
  expect(roll.turns.at(-1)).toMatchObject({ name: 'nodes-2', step: 'failed' });
  expect(roll.turns.at(-1)?.failure).toMatch(/^it could not be tainted: .*forbidden/);
});

test('an API that does not answer for minutes is waited for before machines that people end count as prepared', async () => {
  const cluster = await booted({ groups: SMALL.groups.map((group) => ({ ...group, current: group.count - 1 })) });
  cluster.apiAwayUntilMs = cluster.nowMs + 5 * 60_000;
  const roll = await runSimulated(cluster, { ...PREPARED, roles: ['Node'], onLook: endingAt(cluster) });
  expect(roll.state).toBe('done');
  expect(tainted(cluster)).toEqual(['nodes-2']);
});

test('a machine that was left to people and is no longer outdated loses its taint with the next rolling update', async () => {
  const cluster = await booted(SMALL);
  expect((await runSimulated(cluster, PREPARED)).state).toBe('done');
  expect(tainted(cluster)).toEqual(['nodes-1', 'nodes-2']);
  // The spec is as it was before.
  cluster.applied.set('Node', 1);
  expect((await runSimulated(cluster, PREPARED)).state).toBe('done');
  expect(cluster.marked).toEqual([]);
  expect(cluster.configs('Node')).toEqual([1, 1]);
});

test.each([
  { count: 2, maxSurge: 1, steps: ['waiting', 'surplus'] },
  { count: 1, maxSurge: 1, steps: ['surplus'] },
  { count: 3, maxSurge: 2, steps: ['waiting', 'surplus', 'surplus'] },
  { count: 2, maxSurge: 3, steps: ['surplus', 'surplus'] },
])(
  'where drainAndTerminate is false, a group of $count with a surge of $maxSurge gets new machines once, and it ends (DisabledSurge)',
  async ({ count, maxSurge, steps }) => {
    const [controlPlane] = SMALL.groups;
    const groups = [
      { ...controlPlane!, current: 1 },
      { name: 'nodes', role: 'Node', count },
    ] as const;
    const cluster = await booted(inCloud({ groups }));
    const run = { rules: { nodes: { drainAndTerminate: false, maxSurge } }, onLook: endingAt(cluster) };
    const roll = await runSimulated(cluster, run);
    expect(roll.state).toBe('done');
    expect(roll.turns.map(({ step }) => step)).toEqual(steps);
    const ids = () => cluster.machines.flatMap(({ instanceGroup, id }) => (instanceGroup === 'nodes' ? [id] : []));
    const after = ids();
    expect(after).toHaveLength(count + Math.min(count, maxSurge));
    expect(cluster.unavailable('nodes')).toBeLessThanOrEqual(-Math.min(count, maxSurge));
    expect((await runSimulated(cluster, run)).state).toBe('done');
    expect(ids()).toEqual(after);
  },
);

test('where drainAndTerminate is false, and the machine in the place of a detached one does not work, no further one is detached', async () => {
  const [controlPlane] = SMALL.groups;
  const groups = [
    { ...controlPlane!, current: 1 },
    { name: 'nodes', role: 'Node', count: 3 },
  ] as const;
  const cluster = await booted(inCloud({ groups }));
  cluster.broken = 'nodes';
  const roll = await runSimulated(cluster, {
    rules: { nodes: { drainAndTerminate: false, maxSurge: 2 } },
    wishes: { validationTimeoutMs: 60_000 },
    onLook: endingAt(cluster),
  });
  expect(roll.state).toBe('failed');
  expect(roll.blocked?.why).toMatch(/i-\d/);
  expect(cluster.machines.filter(({ standing }) => standing === 'detached')).toHaveLength(1);
});

test('a group of API servers that cannot be drained does not keep the nodes from being replaced', async () => {
  const groups = [
    { ...SMALL.groups[0]!, current: 1 },
    { name: 'apis', role: 'APIServer', count: 2 },
    { name: 'nodes', role: 'Node', count: 2 },
  ] as const;
  const cluster = await booted({ groups, apps: ['web'] });
  const kube = cluster.kube.bind(cluster);
  cluster.kube = () => ({
    ...kube(),
    get: async (path, signal) => {
      if (path.includes('spec.nodeName%3Dapis-')) throw new KubeError(`GET ${path}`, 403, 'forbidden');
      return kube().get(path, signal);
    },
  });
  const roll = await runSimulated(cluster, { drainTimeoutMs: 30_000, onLook: endingAt(cluster) });
  expect(roll.state).toBe('failed');
  expect(roll.turns.map(({ name, step }) => `${name} ${step}`)).toEqual([
    'apis-1 failed',
    'apis-2 waiting',
    'nodes-1 done',
    'nodes-2 done',
  ]);
});

test('a group that may have more machines lacks none meanwhile', async () => {
  const cluster = await booted(inCloud(SMALL));
  let most = 0;
  const check = always(() => void (most = Math.max(most, cluster.unavailable('nodes'))));
  expect((await runSimulated(cluster, check)).state).toBe('done');
  expect(most).toBe(0);
});

test('machines that cannot be detached are replaced like others', async () => {
  const cluster = await booted(inCloud(SMALL));
  cluster.cannotDetach = true;
  const roll = await runSimulated(cluster, { rules: { nodes: { maxSurge: 1, maxUnavailable: 1 } } });
  expect(roll.state).toBe('done');
  expect(areCurrent(cluster)).toBe(true);
});

test('machines of the warm pool are ended first, without being drained', async () => {
  const cluster = await booted(
    inCloud({ groups: [SMALL.groups[0]!, { name: 'nodes', role: 'Node', count: 2, warm: 2 }] }),
  );
  const { onEvent, order } = recorder();
  expect((await runSimulated(cluster, { onEvent })).state).toBe('done');
  expect(order('delete').slice(1, 3)).toEqual(['nodes-warm-1', 'nodes-warm-2']);
  expect(order('drain')).not.toContain('nodes-warm-1');
});

test.each([
  ['before its turn', 'cordon', 'control-plane'],
  ['when it is about to be ended', 'delete', 'nodes'],
])('a machine of the warm pool that is needed %s is not ended before it is drained', async (_when, at, group) => {
  const groups = [SMALL.groups[0]!, { name: 'nodes', role: 'Node', count: 2, warm: 1 }] as const;
  const cluster = await booted(inCloud({ groups, apps: ['web'] }));
  const { onEvent, order } = recorder();
  const roll = await runSimulated(cluster, {
    onEvent: (event) => {
      onEvent(event);
      if (event.type === 'machine-step' && event.step === at && event.instanceGroup === group)
        cluster.wake('nodes-warm-1');
    },
    onLook: endingAt(cluster),
  });
  expect(roll.state).toBe('done');
  expect(order('drain')).toContain('nodes-warm-1');
  expect(areCurrent(cluster)).toBe(true);
  expect(cluster.marked).toEqual([]);
});

test('a machine of the warm pool that was needed while nobody rolled is drained by the next run', async () => {
  const groups = [SMALL.groups[0]!, { name: 'nodes', role: 'Node', count: 2, warm: 1 }] as const;
  const cluster = await booted(inCloud({ groups, apps: ['web'] }));
  await killedWhen(cluster, (event) => event.step === 'delete' && event.instanceGroup === 'nodes');
  cluster.wake('nodes-warm-1');
  const { onEvent, order } = recorder();
  expect((await runSimulated(cluster, { onEvent, onLook: endingAt(cluster) })).state).toBe('done');
  expect(order('drain')).toContain('nodes-warm-1');
  expect(areCurrent(cluster)).toBe(true);
});

test.each(['make', 'validate'])(
  'a machine that its group no longer wants, after a run was killed at its step %s, is not waited for',
  async (step) => {
    const cluster = await booted(SMALL);
    await killedWhen(cluster, (event) => event.step === step && event.machine === 'nodes-2');
    cluster.sizes.set('nodes', 1);
    cluster.update();
    const roll = await runSimulated(cluster, { onLook: endingAt(cluster) });
    expect(roll.turns.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(roll.state).toBe('done');
    expect(areCurrent(cluster)).toBe(true);
  },
);

test.each([
  ['machines are made by name', {}],
  ['groups make machines of the same names', { hasGroups: true, keepsNames: true }],
])(
  'a new machine that is outdated before it is validated, because another spec was applied, waits until it is (%s)',
  async (_how, kind) => {
    const groups = [SMALL.groups[0]!, { name: 'nodes', role: 'Node', count: 3 }] as const;
    const cluster = await booted({ groups, apps: ['web'], readyAfterMs: 20_000, ...kind });
    const run = {
      wishes: { budget: '2' },
      rules: { nodes: { maxUnavailable: 2, maxSurge: 0 } },
      onLook: endingAt(cluster),
    };
    await killedWhen(cluster, (event) => event.step === 'validate', run);
    cluster.applied.set('ControlPlane', 3);
    await killedWhen(cluster, (event) => event.step === 'validate' && event.instanceGroup === 'nodes', run);
    cluster.applied.set('Node', 3);
    const roll = await runSimulated(cluster, run);
    expect(roll.turns.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(roll.state).toBe('done');
    expect(areCurrent(cluster)).toBe(true);
    expect(cluster.marked).toEqual([]);
  },
);

test('a new machine that was taken away before it was validated, while nobody rolled, is made again', async () => {
  const cluster = await booted(SMALL);
  await killedWhen(cluster, (event) => event.step === 'validate' && event.machine === 'nodes-1');
  cluster.removeMachine(cluster.machines.find(({ name }) => name === 'nodes-1')?.id ?? '');
  const roll = await runSimulated(cluster, { onLook: endingAt(cluster) });
  expect(roll.state).toBe('done');
  expect(cluster.machines).toHaveLength(3);
  expect(areCurrent(cluster)).toBe(true);
});

const KEEPS_NAMES: Simulation = { ...SMALL, hasGroups: true, keepsNames: true };

test('a machine that is lost before its turn leaves no taint to the new one that gets its Node', async () => {
  const cluster = await booted(KEEPS_NAMES);
  let isLost = false;
  const roll = await runSimulated(cluster, {
    onLook: () => {
      const waits = cluster.machines.find(
        ({ nodeName }) => nodeName === 'nodes-2' && tainted(cluster).includes(nodeName),
      );
      if (waits !== undefined && !isLost) cluster.removeMachine(waits.id);
      isLost ||= waits !== undefined;
    },
  });
  expect(isLost).toBe(true);
  expect(roll.state).toBe('done');
  expect(cluster.marked).toEqual([]);
});

test('a machine that is lost while nobody rolls leaves no taint to the new one that gets its Node', async () => {
  const cluster = await booted(KEEPS_NAMES);
  await killedWhen(cluster, (event) => event.step === 'delete' && event.machine === 'nodes-1');
  expect(tainted(cluster)).toContain('nodes-2');
  cluster.removeMachine(cluster.machines.find(({ name }) => name === 'nodes-2')?.id ?? '');
  expect((await runSimulated(cluster, { onLook: endingAt(cluster) })).state).toBe('done');
  expect(cluster.marked).toEqual([]);
});

test('a machine that people have ended leaves no taint to the new one that gets its Node', async () => {
  const cluster = await booted(KEEPS_NAMES);
  expect((await runSimulated(cluster, PREPARED)).state).toBe('done');
  cluster.removeMachine(cluster.machines.find(({ name }) => name === 'nodes-1')?.id ?? '');
  const roll = await runSimulated(cluster, { ...PREPARED, onLook: endingAt(cluster) });
  expect(roll.turns.map(({ name, step }) => `${name} ${step}`)).toEqual(['nodes-1 done', 'nodes-2 waiting']);
  expect(tainted(cluster)).toEqual(['nodes-2']);
});

test('a machine that is gone before its turn is not a failure', async () => {
  const cluster = await booted(inCloud(SMALL));
  let looks = 0;
  const onLook = () => {
    looks += 1;
    const doomed = cluster.machines.find(({ name, isCurrent }) => name === 'nodes-2' && !isCurrent);
    if (looks === 3 && doomed !== undefined) cluster.removeMachine(doomed.id);
  };
  expect((await runSimulated(cluster, { onLook })).state).toBe('done');
  expect(areCurrent(cluster)).toBe(true);
});

test('a person is asked before each machine, and a no ends it', async () => {
  const cluster = await booted(SMALL);
  const asked: string[] = [];
  const roll = await runSimulated(cluster, {
    wishes: { interactive: true },
    ask: async ({ name }) => asked.push(name) < 2,
  });
  expect(asked).toEqual(['control-plane-1', 'nodes-1']);
  expect(roll.state).toBe('stopped');
  expect(cluster.machines.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
});

test('a person who pauses it sees what is under way finished, and no more begun', async () => {
  const cluster = await booted(SMALL);
  let isAsked = false;
  const roll = await runSimulated(cluster, {
    onEvent: (event) => {
      if (isAsked || event.type !== 'machine-step' || event.step !== 'drain') return;
      isAsked = true;
      void changeRollWish(
        cluster.store,
        'demo',
        (found) => ({ ...found, wish: 'pause' }),
        new AbortController().signal,
      );
    },
  });
  expect(roll.state).toBe('paused');
  expect(roll.turns.map(({ step }) => step)).toEqual(['done', 'waiting', 'waiting']);
  expect((await runSimulated(cluster)).state).toBe('done');
});

test.each(['cordon', 'deregister', 'drain', 'delete', 'make', 'validate'])(
  'a person who stops it at the step %s leaves nothing cordoned that is not in the journal',
  async (step) => {
    const cluster = await booted(SMALL);
    const stop = new AbortController();
    const roll = await runSimulated(cluster, {
      stop: stop.signal,
      onEvent: (event) => {
        if (event.type === 'machine-step' && event.step === step && event.instanceGroup === 'nodes') stop.abort();
      },
    });
    expect(roll.state).toBe('stopped');
    const open = roll.turns.filter((turn) => turn.step === 'validate').map(({ node }) => node);
    const cordoned = cluster.marked.filter((name) => cluster.isCordoned(name));
    expect(open).toEqual(expect.arrayContaining(cordoned));
    expect((await runSimulated(cluster)).state).toBe('done');
    expect(areCurrent(cluster)).toBe(true);
    expect(cluster.marked).toEqual([]);
  },
);

test('what a run left can be put back instead of being finished', async () => {
  const cluster = await booted(SMALL);
  const killed = new Error('killed');
  const dies = runSimulated(cluster, {
    onBoundary: () => {
      if (cluster.marked.some((name) => cluster.isCordoned(name))) throw killed;
    },
  });
  await expect(dies).rejects.toBe(killed);
  expect(cluster.marked).not.toEqual([]);
  const roll = await runSimulated(cluster, { abandons: true });
  expect(roll.state).toBe('aborted');
  expect(cluster.marked).toEqual([]);
  expect(cluster.machines.some(({ isCurrent }) => isCurrent)).toBe(false);
});

test.each(['delete', 'make', 'validate'])(
  'one that was cut off at the step %s is aborted once the new machine has its Node, which is not cordoned any more',
  async (step) => {
    const cluster = await booted(SMALL);
    await killedWhen(cluster, (event) => event.step === step && event.instanceGroup === 'nodes');
    expect(cluster.marked).not.toEqual([]);
    const roll = await runSimulated(cluster, { abandons: true, onLook: endingAt(cluster) });
    expect(roll.state).toBe('aborted');
    expect(cluster.marked).toEqual([]);
    expect(cluster.machines.filter(({ isCurrent }) => isCurrent)).toHaveLength(2);
  },
);

test('an abort does not wait without end for a new machine that does not join: it names the Node that stays cordoned', async () => {
  const cluster = await booted(SMALL);
  cluster.broken = 'nodes';
  await killedWhen(cluster, (event) => event.step === 'make' && event.instanceGroup === 'nodes');
  const roll = await runSimulated(cluster, { abandons: true, onLook: endingAt(cluster) });
  expect(roll.state).toBe('aborted');
  const [left] = roll.turns.filter(({ step }) => step === 'validate');
  expect(cluster.isCordoned(left?.node ?? '')).toBe(true);
  expect(left?.failure).toMatch(/its Node nodes-\d is still cordoned, \d+ s .* `kopsctl rolling-update abort` /);
  cluster.broken = undefined;
  const again = await runSimulated(cluster, { abandons: true, onLook: endingAt(cluster) });
  expect(again.state).toBe('aborted');
  expect(again.turns.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(cluster.marked).toEqual([]);
});

/** The Node of a new machine that has joined; from now on, every change of it is refused. */
function refusingChanges(cluster: SimulatedCluster): string {
  const [node = ''] = cluster.marked.filter((name) => cluster.isCordoned(name));
  const kube = cluster.kube.bind(cluster);
  cluster.kube = () => {
    const api = kube();
    const mergePatch: typeof api.mergePatch = async (path, patch, signal) => {
      if (path.endsWith(`/${node}`)) throw new KubeError(`PATCH ${path}`, 403, 'denied by a webhook');
      return api.mergePatch(path, patch, signal);
    };
    return { ...api, mergePatch };
  };
  return node;
}

test('an abort does not wait longer where the Node of the new machine cannot be put back into service: it names it', async () => {
  const cluster = await booted(SMALL);
  await killedWhen(cluster, (event) => event.step === 'validate' && event.instanceGroup === 'nodes');
  const node = refusingChanges(cluster);
  const begunMs = cluster.nowMs;
  const roll = await runSimulated(cluster, { abandons: true, onLook: endingAt(cluster) });
  expect(roll.state).toBe('aborted');
  expect(cluster.isCordoned(node)).toBe(true);
  const left = roll.turns.filter(({ failure }) => failure !== undefined);
  expect(left).toMatchObject([
    { node, step: 'validate', failure: expect.stringContaining(`its Node ${node} is still cordoned`) },
  ]);
  expect(cluster.nowMs - begunMs).toBeLessThan(3 * 60_000);
});

test('a person who stops it does not wait longer for that either', async () => {
  const cluster = await booted(SMALL);
  await killedWhen(cluster, (event) => event.step === 'validate' && event.instanceGroup === 'nodes');
  const node = refusingChanges(cluster);
  const [stop, begunMs, mayGoOn] = [new AbortController(), cluster.nowMs, endingAt(cluster)];
  const roll = await runSimulated(cluster, {
    stop: stop.signal,
    onLook: () => {
      if (cluster.nowMs - begunMs > 30_000) stop.abort();
      mayGoOn();
    },
  });
  expect(roll.state).toBe('stopped');
  expect(roll.turns).toContainEqual(expect.objectContaining({ node, step: 'validate' }));
  expect(cluster.nowMs - begunMs).toBeLessThan(3 * 60_000);
});

test('an operator who was away while another one took over ends at once and does nothing more', async () => {
  const cluster = await booted(LARGE);
  let isTaken = false;
  const check = (): void => {
    const controlPlanes = ['cp-a', 'cp-b', 'cp-c'].reduce((sum, group) => sum + cluster.unavailable(group), 0);
    expect(controlPlanes).toBeLessThanOrEqual(1);
  };
  const changedAfterwards: string[] = [];
  let other: Promise<unknown> = Promise.resolve();
  const slept = runSimulated(cluster, {
    onBoundary: (what) => {
      if (isTaken) changedAfterwards.push(what);
    },
    onEvent: (event) => {
      if (isTaken || event.type !== 'machine-step' || event.step !== 'drain' || event.machine !== 'cp-a-1') return;
      isTaken = true;
      other = runSimulated(cluster, always(check));
    },
  });
  await expect(slept).rejects.toThrow('somebody else');
  expect(await other).toMatchObject({ state: 'done' });
  expect(changedAfterwards.filter((what) => /^after (?:delete|make|deregister|write)/.test(what))).toEqual([]);
  expect(areCurrent(cluster)).toBe(true);
  expect(cluster.marked).toEqual([]);
});

test.each([
  ['machines are made by name', { groups: [SMALL.groups[0]!, { name: 'nodes', role: 'Node' as const, count: 8 }] }],
  [
    'groups make machines',
    { groups: [SMALL.groups[0]!, { name: 'nodes', role: 'Node' as const, count: 8 }], hasGroups: true },
  ],
])('a spec that changed while nobody rolled is tried with one machine first (%s)', async (_how, simulation) => {
  const cluster = await booted(simulation);
  const run = { rules: { nodes: { maxSurge: 0, maxUnavailable: 4 } }, wishes: { budget: '100%' } };
  const killed = new Error('killed');
  let isDone = false;
  const first = runSimulated(cluster, {
    ...run,
    onEvent: (event) => {
      isDone ||= event.type === 'machine-step' && event.instanceGroup === 'nodes' && event.step === 'done';
    },
    onBoundary: () => {
      if (isDone) throw killed;
    },
  });
  await expect(first).rejects.toBe(killed);
  // What is applied now does not work.
  cluster.applied.set('Node', 3);
  cluster.broken = 'nodes';
  const working = () => cluster.machines.filter(({ instanceGroup }) => instanceGroup === 'nodes').length;
  expect(working()).toBeGreaterThanOrEqual(7);
  await runSimulated(cluster, { ...run, wishes: { ...run.wishes, validationTimeoutMs: 60_000 } });
  expect(cluster.configs('Node').filter((config) => config === 3).length).toBeLessThanOrEqual(1);
});

test('a machine that ends by itself is no proof that what its group makes works', async () => {
  const cluster = await booted({
    groups: [SMALL.groups[0]!, { name: 'nodes', role: 'Node', count: 8 }],
  });
  cluster.broken = 'nodes';
  let isGone = false;
  const roll = await runSimulated(cluster, {
    rules: { nodes: { maxUnavailable: 4 } },
    wishes: { budget: '100%', validationTimeoutMs: 60_000 },
    onEvent: (event) => {
      if (isGone || event.type !== 'machine-step' || event.step !== 'done') return;
      isGone = true;
      cluster.removeMachine(cluster.machines.find(({ name }) => name === 'nodes-8')?.id ?? '');
      cluster.changeNode('nodes-8', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    },
  });
  expect(roll.state).toBe('failed');
  expect(roll.turns.filter(({ step }) => step === 'failed')).toHaveLength(1);
  expect(cluster.configs('Node').filter((config) => config === 2)).toHaveLength(1);
});

test('a machine that is no longer outdated loses the marks that a run left on its Node', async () => {
  const cluster = await booted(SMALL);
  const stop = new AbortController();
  const stopped = await runSimulated(cluster, {
    stop: stop.signal,
    onEvent: (event) => {
      if (event.type === 'machine-step' && event.instanceGroup === 'nodes' && event.step === 'drain') stop.abort();
    },
  });
  expect(stopped.state).toBe('stopped');
  expect(cluster.marked).toEqual(['nodes-2']);
  // The spec is as it was before.
  cluster.applied.set('Node', 1);
  expect((await runSimulated(cluster)).state).toBe('done');
  expect(cluster.marked).toEqual([]);
  expect(cluster.configs('Node')).toEqual([1, 1]);
});

test.each(['cordon', 'deregister', 'drain'])(
  'a machine that is no longer outdated is put back and stays, although a run was killed at its step %s',
  async (step) => {
    const cluster = await booted(SMALL);
    await killedWhen(cluster, (event) => event.step === step && event.instanceGroup === 'nodes');
    const nodes = () => cluster.machines.flatMap(({ role, id }) => (role === 'Node' ? [id] : []));
    const before = nodes();
    // The spec is as it was before.
    cluster.applied.set('Node', 1);
    expect((await runSimulated(cluster)).state).toBe('done');
    expect(nodes()).toEqual(before);
    expect(cluster.marked).toEqual([]);
  },
);

test('a machine that is no longer outdated stays, although a run was killed while it put that back', async () => {
  const cluster = await booted(SMALL);
  const stop = new AbortController();
  const isNode = ({ instanceGroup }: { readonly instanceGroup: string }) => instanceGroup === 'nodes';
  await killedWhen(
    cluster,
    (event) => {
      if (event.step === 'drain' && isNode(event)) stop.abort();
      return event.step === 'release';
    },
    { stop: stop.signal },
  );
  const before = cluster.machines.filter((one) => isNode(one)).map(({ id }) => id);
  cluster.applied.set('Node', 1);
  expect((await runSimulated(cluster)).state).toBe('done');
  expect(cluster.machines.filter((one) => isNode(one)).map(({ id }) => id)).toEqual(before);
  expect(cluster.marked).toEqual([]);
});

test.each([
  { what: 'aborted', run: { abandons: true }, applied: 2 },
  { what: 'done', run: {}, applied: 1 },
])(
  'what was about to be detached is not, where the next run does not want that; that one is $what',
  async ({ what, run, applied }) => {
    const cluster = await booted(inCloud(SMALL));
    await killedWhen(cluster, (event) => event.step === 'detach');
    const nodes = () =>
      cluster.machines.flatMap(({ role, id, standing }) => (role === 'Node' ? [`${id} ${standing}`] : []));
    const before = nodes();
    cluster.applied.set('Node', applied);
    expect((await runSimulated(cluster, { ...run, onLook: endingAt(cluster) })).state).toBe(what);
    expect(nodes()).toEqual(before);
    expect(cluster.marked).toEqual([]);
  },
);

test.each([
  ['machines are made by name', {}],
  ['groups make machines of the same names', { hasGroups: true, keepsNames: true }],
])(
  'of machines that are replaced together, each is done once its own Node is Ready, and not before (%s)',
  async (_how, kind) => {
    const groups = [
      { name: 'control-plane', role: 'ControlPlane', count: 1, current: 1 },
      { name: 'nodes', role: 'Node', count: 9, current: 1 },
    ] as const;
    const cluster = new SimulatedCluster({ groups, apps: ['web', 'shop'], readyAfterMs: 20_000, ...kind });
    await cluster.boot();
    const early: string[] = [];
    let most = 0;
    const rolled = await runSimulated(cluster, {
      wishes: { budget: '3' },
      rules: { nodes: { maxUnavailable: 3, maxSurge: 0 } },
      onLook: () => {
        most = Math.max(most, cluster.unavailable('nodes'));
      },
      onEvent: (event) => {
        if (event.type !== 'machine-step' || event.step !== 'done') return;
        const { machineId } = cluster.machines.find(({ name }) => name === event.machine) ?? {};
        const node = JSON.stringify(cluster.node(event.machine)?.['status']);
        if (machineId === undefined || !node.includes(machineId) || !node.includes('"True"')) early.push(event.machine);
      },
    });
    expect(rolled.state).toBe('done');
    expect(early).toEqual([]);
    expect(most).toBe(3);
  },
);
