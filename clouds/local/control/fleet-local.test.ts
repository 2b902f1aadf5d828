import { expect, test } from 'vitest';
import { localFleet } from './fleet-local.ts';
import { hashUserData } from './machines/seed.ts';
import type { LocalCloud } from './supervisor/client.ts';
import type { LocalDescription } from './supervisor/describe-cluster.ts';

const signal = new AbortController().signal;
const userDataOf = (plan: string, agents = 'v1'): string => `#!/bin/sh\nexec nodeup-${agents} --plan ${plan}\n`;
const [OLD, NEW, NEWEST] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];

/** One machine that was made to follow the old plan, in a cluster whose machines are made from that user data now. */
function fleetOf(wanted: string) {
  const spec = { name: 'nodes-1', instanceGroup: 'nodes', role: 'Node' as const, zone: 'a', tags: {} };
  const machine = {
    ...spec,
    nodeName: 'nodes-1',
    layers: [],
    address: '172.30.0.10',
    machineId: 'one',
    wanted: 'running' as const,
    createdMs: 0,
    state: 'running' as const,
    boots: 1,
    userDataHash: hashUserData(userDataOf(OLD)),
  };
  const local: Pick<LocalCloud, 'cluster' | 'describe' | 'renewMachine'> = {
    cluster: 'demo',
    describe: async () => ({ machines: [machine] }) as Partial<LocalDescription> as LocalDescription,
    renewMachine: async (_name, userData) => {
      machine.userDataHash = hashUserData(userData);
    },
  };
  const task = { kind: 'local/Machine', name: 'nodes-1', props: { ...spec, nodeName: 'nodes-1', userData: wanted } };
  // The rest of a local cloud is not asked for anything here.
  const fleet = localFleet(local as LocalCloud, async () => [task]);
  const only = async () => (await fleet.groups(signal))[0]!.machines[0]!;
  return { fleet, only };
}

test('a machine that became what the newest plan says is current', async () => {
  const { fleet, only } = fleetOf(userDataOf(NEW));
  const change = { from: OLD, to: NEW };
  expect(await only()).toMatchObject({ isCurrent: false });
  expect(await fleet.inPlace?.isPossible(await only(), change, signal)).toBe(true);
  await fleet.inPlace?.note(await only(), change, signal);
  expect(await only()).toMatchObject({ isCurrent: true });
  // A process that was cut off just then does it once more.
  await fleet.inPlace?.note(await only(), change, signal);
  expect(await only()).toMatchObject({ isCurrent: true });
});

test.each([
  ['another plan was applied since', userDataOf(NEWEST)],
  ['more than the plan differs', userDataOf(NEW, 'v2')],
])('a machine stays outdated where %s', async (_why, wanted) => {
  const { fleet, only } = fleetOf(wanted);
  await fleet.inPlace?.note(await only(), { from: OLD, to: NEW }, signal);
  expect(await only()).toMatchObject({ isCurrent: false });
});
