import type { FleetMachine } from '@kopsctl/model/fleet.ts';
import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { planDifference } from './plan-difference.ts';
import { afterPlan, describeOutdated, planOutdated } from './plan-outdated.ts';

const machine = (name: string, more: Partial<FleetMachine> = {}): FleetMachine => ({
  id: `id-of-${name}`,
  name,
  nodeName: name,
  instanceGroup: 'nodes',
  role: 'Node',
  address: '10.0.0.1',
  running: true,
  isCurrent: true,
  standing: 'counted',
  ...more,
});
const groupOf = (...machines: readonly FleetMachine[]) => [
  { name: 'nodes', role: 'Node', wanted: machines.length, machines } as const,
];
const file = (name: string, content: string): Task => ({
  kind: 'File',
  name,
  props: { path: `/etc/${name}`, content },
});
const plan = (kubernetesVersion: string, ...tasks: readonly Task[]): NodePlan => ({
  apiVersion: 'kopsctl.io/v1',
  kind: 'NodePlan',
  cluster: 'demo',
  instanceGroup: 'nodes',
  role: 'Node',
  kubernetesVersion,
  tasks,
});
const nothing = { running: new Map(), wanted: new Map(), marked: new Set<string>(), force: false };

test('two plans differ by the tasks that one of them lacks or has otherwise', () => {
  const before = plan('1.34.4', file('a', '1'), file('b', '1'), file('c', '1'));
  const after = plan('1.34.4', file('a', '1'), file('b', '2'), file('d', '1'));
  expect(planDifference(before, after)).toEqual([
    { task: 'File/b', change: 'changed', fields: ['content'] },
    { task: 'File/c', change: 'removed', fields: [] },
    { task: 'File/d', change: 'added', fields: [] },
  ]);
  expect(planDifference(after, after)).toEqual([]);
});

test('a machine is outdated where its cloud says so, where its Node is marked, and where all are', () => {
  const groups = groupOf(machine('old', { isCurrent: false }), machine('marked'), machine('new'));
  const marked = new Set(['marked']);
  const reasons = (force: boolean) =>
    planOutdated({ ...nothing, groups, marked, force }).map((one) => `${one.machine.name} ${one.reason}`);
  expect(reasons(false)).toEqual(['old older', 'marked marked']);
  expect(reasons(true)).toEqual(['old older', 'marked marked', 'new forced']);
});

test('once a plan is applied, the machines of groups that it changes are outdated, with what it says is different', () => {
  const wanted = new Map([['nodes', { hash: 'b', plan: plan('1.34.4', file('a', '2')) }]]);
  const running = new Map([['id-of-new', { hash: 'a', plan: plan('1.34.4', file('a', '1')) }]]);
  const told = (changed?: ReadonlySet<string>) => {
    const groups = afterPlan(groupOf(machine('new')), changed);
    return planOutdated({ ...nothing, groups, running, wanted }).map((one) => describeOutdated(one));
  };
  expect(told()).toEqual([]);
  expect(told(new Set(['others']))).toEqual([]);
  expect(told(new Set(['nodes']))).toEqual(['File/a']);
});

test('what a machine says of its plan never makes it current or outdated', () => {
  const other = { hash: 'b'.repeat(64), plan: plan('1.36.3') };
  const wanted = new Map([['nodes', { hash: 'a'.repeat(64), plan: plan('1.36.3') }]]);
  const groups = groupOf(machine('honest', { isCurrent: false }), machine('liar'));
  const running = new Map([
    ['id-of-honest', { hash: 'a'.repeat(64), plan: plan('1.36.3') }],
    ['id-of-liar', other],
  ]);
  expect(planOutdated({ ...nothing, groups, running, wanted }).map((one) => one.machine.name)).toEqual(['honest']);
});

test.each([
  [plan('1.34.4'), plan('1.36.3'), 'Kubernetes 1.34.4, not 1.36.3'],
  [plan('1.34.4', file('a', '1')), plan('1.34.4', file('a', '2')), 'File/a'],
  [
    plan('1.34.4'),
    plan('1.34.4', file('a', ''), file('b', ''), file('c', ''), file('d', '')),
    'File/a added, File/b added, 2 more',
  ],
  [plan('1.34.4'), plan('1.34.4'), 'its plan is the same; its image, hardware, agents or boot configuration are not'],
  [undefined, plan('1.34.4'), 'made from an older configuration'],
])('it is said in a few words what is different (%#)', (runs, wants, said) => {
  const [outdated] = planOutdated({
    ...nothing,
    groups: groupOf(machine('old', { isCurrent: false })),
    running: runs === undefined ? new Map() : new Map([['id-of-old', { hash: 'a', plan: runs }]]),
    wanted: new Map([['nodes', { hash: 'b', plan: wants }]]),
  });
  expect(outdated && describeOutdated(outdated)).toBe(said);
});
