import { expect, test } from 'vitest';
import { type InotifyUse, machineOfProcess, neededInotifyInstances } from './inotify.ts';

const idle: InotifyUse = { limit: 128, machines: new Map(), others: 0 };
const haCluster = new Map([
  ['cp-1', 'ControlPlane'],
  ['cp-2', 'ControlPlane'],
  ['cp-3', 'ControlPlane'],
  ['nodes-1', 'Node'],
] as const);

test("three control planes and a worker need more than the kernel's default of 128", () => {
  expect(neededInotifyInstances(idle, haCluster)).toBe(133);
});

test('what other programs and other clusters use comes on top', () => {
  expect(neededInotifyInstances({ ...idle, others: 40 }, new Map([['nodes-1', 'Node']]))).toBe(65);
});

test('a machine that boots is counted with what it will need, one that uses more with what it uses', () => {
  const machines = new Map([
    ['nodes-1', 3],
    ['nodes-2', 90],
  ]);
  expect(
    neededInotifyInstances(
      { ...idle, machines },
      new Map([
        ['nodes-1', 'Node'],
        ['nodes-2', 'Node'],
      ]),
    ),
  ).toBe(115);
});

test('a machine that runs already is counted even when nobody asks for it', () => {
  const machines = new Map([['nodes-9', 20]]);
  expect(neededInotifyInstances({ ...idle, machines }, new Map([['cp-1', 'ControlPlane']]))).toBe(56);
});

test('the machine of a process is read from its control groups', () => {
  const machine = (procCgroup: string) => machineOfProcess(procCgroup, 'demo');
  expect(machine('5:cpu,cpuacct:/kl-demo/nodes-1\n0::/kl-demo/nodes-1/init.scope\n')).toBe('nodes-1');
  expect(machine('0::/kl-demo/nodes-1.keeper\n')).toBe('nodes-1');
  expect(machine('0::/kl-other/nodes-1\n')).toBeUndefined();
  expect(machine('0::/kl-demo.example.com/nodes-1\n')).toBeUndefined();
  expect(machine('0::/user.slice\n')).toBeUndefined();
});
