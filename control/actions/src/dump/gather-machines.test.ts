import type { Machine } from '@kopsctl/model/cloud.ts';
import { expect, test } from 'vitest';
import type { Bundle } from './gather-bundle.ts';
import { gatherMachines } from './gather-machines.ts';

const machine = (name: string, role: string): Machine => ({
  name,
  nodeName: name,
  role,
  instanceGroup: role,
  address: '192.0.2.1',
  state: 'running',
});
const MACHINES = [machine('n-1', 'Node'), machine('n-2', 'Node'), machine('cp-1', 'ControlPlane')];

async function gathered(...args: [logs: Parameters<typeof gatherMachines>[2], maxMachines: number]): Promise<Bundle> {
  const bundle: Bundle = new Map();
  await gatherMachines(bundle, MACHINES, ...args);
  return bundle;
}

test('the logs of a limited number of machines are gathered, control planes first, and the others are named', async () => {
  const bundle = await gathered({ console: async (name) => `login: ${name}` }, 2);
  expect([...bundle.keys()]).toEqual([
    'machines/machines.json',
    'machines/left-out.txt',
    'machines/cp-1/console.txt',
    'machines/n-1/console.txt',
  ]);
  expect(bundle.get('machines/cp-1/console.txt')).toBe('login: cp-1');
  expect(bundle.get('machines/left-out.txt')).toBe('n-2\n');
});

test('a machine whose console cannot be read, or is empty, keeps no other from being read', async () => {
  const bundle = await gathered(
    {
      console: async (name) => {
        if (name === 'n-1') throw new Error('you may not');
        return name === 'n-2' ? '' : 'up';
      },
    },
    500,
  );
  expect([...bundle.keys()].toSorted()).toEqual([
    'machines/cp-1/console.txt',
    'machines/machines.json',
    'machines/n-1/console.failed.txt',
  ]);
});
