import type { FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { expect, test } from 'vitest';
import type { OutdatedMachine } from '../outdated/plan-outdated.ts';
import { refuseSkew, refuseUnapplied } from './choose-machines.ts';
import type { Roll } from './roll.ts';
import { tellOutage } from './tell-outage.ts';

const machine = (name: string, role: NodeRole): FleetMachine => ({
  id: `id-${name}`,
  name,
  nodeName: name,
  instanceGroup: role,
  role,
  address: '10.0.0.1',
  isCurrent: false,
  running: true,
  standing: 'counted',
});

/** What `refuse` refuses, and why; undefined where nothing. */
function refusal(refuse: () => void): string | undefined {
  try {
    refuse();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** An outdated machine, e.g. `cp-1 1.34.4>1.35.7`; without versions it is outdated for another reason. */
function outdated(text: string): OutdatedMachine {
  const [name = '', versions] = text.split(' ');
  const [from, to] = versions?.split('>') ?? [];
  const kubernetes = from === undefined || to === undefined ? {} : { kubernetes: { from, to } };
  return { machine: machine(name, name.startsWith('cp') ? 'ControlPlane' : 'Node'), reason: 'older', ...kubernetes };
}

const [CP, OTHER_CP, NODE] = ['cp-1 1.34.4>1.35.7', 'cp-2 1.34.4>1.35.7', 'node-1 1.34.4>1.35.7'] as const;

test.each([
  { what: 'everything at once', found: [CP, OTHER_CP, NODE], chosen: [CP, OTHER_CP, NODE], isRefused: false },
  { what: 'only control planes', found: [CP, OTHER_CP, NODE], chosen: [CP], isRefused: false },
  { what: 'only workers', found: [CP, NODE], chosen: [NODE], isRefused: true },
  { what: 'workers and one of two control planes', found: [CP, OTHER_CP, NODE], chosen: [CP, NODE], isRefused: true },
  {
    what: 'workers, while one of two control planes is new but for its patch',
    found: ['cp-1 1.35.0>1.35.7', OTHER_CP, NODE],
    chosen: [NODE],
    isRefused: true,
  },
  { what: 'workers, once control planes are new', found: [NODE], chosen: [NODE], isRefused: false },
  {
    what: 'workers to another patch of the same minor',
    found: ['cp-1 1.34.4>1.34.5', 'node-1 1.34.4>1.34.5'],
    chosen: ['node-1 1.34.4>1.34.5'],
    isRefused: false,
  },
  {
    what: 'workers to an older minor',
    found: ['cp-1 v1.35.7>v1.34.4', 'node-1 v1.35.7>v1.34.4'],
    chosen: ['node-1 v1.35.7>v1.34.4'],
    isRefused: false,
  },
  { what: 'workers whose version stays', found: [CP, 'node-1'], chosen: ['node-1'], isRefused: false },
  {
    what: 'workers beside control planes whose version stays',
    found: ['cp-1', NODE],
    chosen: [NODE],
    isRefused: false,
  },
])('The kubelet is never newer than an API server: $what', ({ found, chosen, isRefused }) => {
  const all = found.map(outdated);
  const some = all.filter(({ machine: { name } }) => chosen.some((one) => one.startsWith(name)));
  const why = refusal(() => refuseSkew('demo', all, some));
  const because =
    /roll node-1 of demo: its kubelet would run Kubernetes 1\.35\.7, .* still runs an API server of 1\.34\.4/;
  expect(why === undefined ? undefined : because.test(why)).toBe(isRefused ? true : undefined);
});

const group = (...machines: readonly FleetMachine[]): FleetGroup => ({
  name: machines[0]?.instanceGroup ?? '',
  role: machines[0]?.role ?? 'Node',
  wanted: machines.length,
  machines,
});

/** What a plan would do, by the ids of the tasks: how many steps, or that it cannot be said. */
const planned = (tasks: Readonly<Record<string, number | 'failed'>>) =>
  ({
    tasks: Object.entries(tasks).map(([id, steps]) => ({
      id,
      steps: steps === 'failed' ? [] : Array.from({ length: steps }, () => ({ action: 'update', summary: '' })),
      result: steps === 'failed' ? 'failed' : steps === 0 ? 'unchanged' : 'planned',
    })),
  }) as unknown as RunResult;

test.each([
  { what: 'a fleet that makes machines by itself', plan: undefined, why: undefined },
  { what: 'nothing is left to do', plan: { 'ManagedFile/plan': 0 }, why: undefined },
  { what: 'a machine is not like its plan', plan: { 'toy/Machine/node-1': 1 }, why: undefined },
  { what: 'a machine that the last roll was about to make', plan: { 'toy/Machine/node-9': 1 }, why: undefined },
  { what: 'a machine that the last roll has made', plan: { 'toy/Machine/node-8': 1 }, why: '1 changes' },
  { what: 'a machine that nobody has begun with', plan: { 'toy/Machine/node-2': 1 }, why: '1 changes' },
  { what: 'a file is not written', plan: { 'ManagedFile/plan': 1, 'toy/Machine/node-1': 1 }, why: '1 changes' },
  { what: 'two are', plan: { 'ManagedFile/plan': 2, 'Keyset/ca': 1 }, why: '2 changes' },
  { what: 'one cannot be looked at', plan: { 'ManagedFile/plan': 'failed' as const }, why: '1 changes' },
])('What machines need is applied before they are made: $what', ({ plan, why }) => {
  const turns = [
    { name: 'node-8', step: 'done' },
    { name: 'node-9', step: 'make' },
  ];
  const former = { state: 'failed', turns } as unknown as Roll;
  const groups = [group(machine('node-1', 'Node'))];
  const refused = refusal(() => refuseUnapplied('demo', plan && planned(plan), groups, former));
  const because = `${why} to its spec are not applied yet, such as the one to ${Object.keys(plan ?? {})[0]}`;
  expect(refused?.includes(because)).toBe(why === undefined ? undefined : true);
});

test('a rolling update that is finished makes no machine any more', () => {
  const former = { state: 'done', turns: [{ name: 'node-9', step: 'done' }] } as unknown as Roll;
  const plan = planned({ 'toy/Machine/node-9': 1 });
  const refused = refusal(() => refuseUnapplied('demo', plan, [group(machine('node-1', 'Node'))], former));
  expect(refused).toContain('1 changes to its spec are not applied yet');
});

const [first, second, worker] = [
  machine('cp-1', 'ControlPlane'),
  machine('cp-2', 'ControlPlane'),
  machine('w', 'Node'),
];

test.each([
  {
    what: 'the only control plane is replaced',
    groups: [group(first), group(worker)],
    replaced: [first],
    isTold: true,
  },
  { what: 'only a worker is', groups: [group(first), group(worker)], replaced: [worker], isTold: false },
  { what: 'another control plane serves meanwhile', groups: [group(first, second)], replaced: [first], isTold: false },
  { what: 'it is of another group', groups: [group(first), group(second)], replaced: [first], isTold: false },
  { what: 'there is none', groups: [group(worker)], replaced: [worker], isTold: false },
])('A person is told before that the API will be away, where it will be: $what', ({ groups, replaced, isTold }) => {
  const told = tellOutage(
    groups,
    replaced.map((one) => ({ machine: one })),
  );
  const outage = 'cp-1 is the only control plane: the API is unavailable while it is replaced';
  expect(told?.includes(outage)).toBe(isTold ? true : undefined);
});
