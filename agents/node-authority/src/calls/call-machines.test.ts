import { once } from 'node:events';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, callMachines } from './call-machines.ts';
import type { CallEnd } from './plan-call.ts';

/** Without it vitest waits for a second, which a busy computer may need for one look. */
const WAIT = { timeout: 30_000 };

const machine: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.11',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
};

let ended: AbortController;
beforeEach(() => void (ended = new AbortController()));
afterEach(() => ended.abort());

/** Calls of one machine that end like this, one right after the other; after the last it is left alone until it is gone. */
async function called(...ends: readonly CallEnd[]) {
  const machines = new Latest<CloudMachine>();
  machines.set({ revision: '1', items: [machine] });
  const doubts: boolean[] = [];
  const pauses: number[] = [];
  let isGone = false;
  const call: Call = async (_machine, isDoubtful) => {
    doubts.push(isDoubtful);
    return ends[doubts.length - 1] ?? { end: 'refused' };
  };
  const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    pauses.push(ms);
    if (pauses.length < ends.length) return;
    await once(signal, 'abort');
    isGone = true;
    throw signal.reason;
  };
  callMachines(machines, call, ended.signal, pause).catch(() => undefined);
  await vi.waitFor(() => expect(pauses.length).toBe(ends.length), WAIT);
  return { doubts, pauses, machines, isGone: () => isGone };
}

test('a machine that did not prove itself is doubtful until it does, whatever comes in between', async () => {
  const talked: CallEnd = { end: 'talked', againSeconds: 1 };
  const { doubts } = await called({ end: 'unproven' }, { end: 'refused' }, { end: 'hung-up' }, talked, talked);
  expect(doubts).toEqual([false, true, true, true, false]);
});

test('a machine that refuses in between is called ever more rarely all the same', async () => {
  const unproven: CallEnd = { end: 'unproven' };
  const refused: CallEnd = { end: 'refused' };
  const { pauses } = await called(unproven, refused, unproven, refused, unproven);
  expect(pauses).toEqual([5000, 250, 10_000, 250, 20_000]);
});

test('a machine that the cloud no longer lists is not called again', async () => {
  const { machines, isGone, doubts } = await called({ end: 'refused' });
  machines.set({ revision: '2', items: [] });
  await vi.waitFor(() => expect(isGone()).toBe(true), WAIT);
  expect(doubts.length).toBe(1);
});
