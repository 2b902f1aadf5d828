import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { buildGraph } from '@kopsctl/tasks/graph.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import type { ActionContext } from '../phases/action.ts';
import { type Preparation, prepareCluster } from '../phases/prepare-cluster.ts';
import { newCluster } from '../spec/new-cluster.ts';
import { tasksOfGroups } from './tasks-of-groups.ts';

const context: ActionContext = { env: {}, signal: new AbortController().signal, onEvent: () => {} };

const PROJECT = { project: { value: 'a-project', path: 'spec.project' } };

test.each([
  ['aws', 'us-test-1a', 'LaunchTemplate', 'AutoscalingGroup'],
  ['gce', 'us-test1-a', 'InstanceTemplate', 'InstanceGroupManager'],
])(
  'Only control planes of %s: nothing makes workers, and what all share knows of them',
  async (cloud, zone, ...kinds) => {
    const name = 'demo.example.com';
    const flags = { name, cloud, zones: [zone], own: PROJECT, topology: 'private', dns: 'none' } as const;
    const wanted = { name, ...newCluster(flags, { stateStoreUrl: 'memory://state' }), changes: [], objects: [] };
    const request: Preparation = {
      store: createMemoryStore(),
      wanted,
      assets: undefined,
      asksCloud: false,
      offline: true,
    };
    const whole = await prepareCluster(context, request);
    const part = await prepareCluster(context, { ...request, roles: ['ControlPlane', 'APIServer'] });
    expect(() => buildGraph(part.tasks)).not.toThrow();
    const ids = new Set(part.tasks.map(taskId));
    const left = whole.tasks.filter((task) => !ids.has(taskId(task)));
    const workers = wanted.instanceGroups.flatMap(({ metadata, spec }) =>
      spec.role === 'Node' ? [metadata.name] : [],
    );
    expect(workers.length).toBeGreaterThan(0);
    for (const kind of kinds) {
      const of = (tasks: typeof whole.tasks) => tasks.filter((task) => task.kind.endsWith(`/${kind}`));
      expect([kind, of(left).length]).toEqual([kind, workers.length]);
      expect([kind, of(part.tasks).length > 0]).toEqual([kind, true]);
    }
    for (const worker of workers) expect(ids.has(`ManagedFile/node-plan-${worker}`)).toBe(false);
    const authority = part.tasks.find((task) => taskId(task) === 'ManagedFile/node-authority');
    for (const worker of workers) expect(authority?.props['content']).toContain(worker);
  },
);

test.each([
  ['aws', 'us-test-1a', 'LaunchTemplate', 'AutoscalingGroup'],
  ['gce', 'us-test1-a', 'InstanceTemplate', 'InstanceGroupManager'],
])('Only workers of %s, by role or by name: no other machine is made', async (cloud, zone, ...kinds) => {
  const name = 'demo.example.com';
  const flags = { name, cloud, zones: [zone], own: PROJECT, topology: 'private', dns: 'none' } as const;
  const created = newCluster({ ...flags, bastion: true }, { stateStoreUrl: 'memory://state' });
  const wanted = { name, ...created, changes: [], objects: [] };
  const store = createMemoryStore();
  const request: Preparation = { store, wanted, assets: undefined, asksCloud: false, offline: true };
  const workers = `nodes-${zone}`;
  const byRole = await prepareCluster(context, { ...request, roles: ['Node'] });
  const byName = await prepareCluster(context, { ...request, instanceGroups: [workers] });
  expect(byName.tasks).toEqual(byRole.tasks);
  expect(() => buildGraph(byName.tasks)).not.toThrow();
  const made = byName.tasks.filter(({ kind }) => kinds.some((one) => kind.endsWith(`/${one}`)));
  expect(made.map(({ kind }) => kind.split('/')[1])).toEqual(kinds);
  for (const task of made) expect(task.name).toContain(workers);
  const plans = byName.tasks.filter((task) => task.name.startsWith('node-plan-'));
  expect(plans.map((task) => task.name)).toEqual([`node-plan-${workers}`]);
});

test('What needs machines of another group is left out, and what needs that', () => {
  const tasks = [
    { kind: 'Balancer', name: 'api', props: { of: [{ ref: 'Machines/control-plane', output: 'id' }] } },
    { kind: 'Name', name: 'api', props: { balancer: { ref: 'Balancer/api' } } },
    { kind: 'Machines', name: 'nodes', props: { network: { ref: 'Network/all', output: 'id' } } },
    { kind: 'Network', name: 'all', props: {} },
  ] as const;
  expect(tasksOfGroups(tasks).map(taskId)).toEqual(['Machines/nodes', 'Network/all']);
});
