import { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CallEnv, callMachine } from './call-machine.ts';
import type { CallEnd } from './plan-call.ts';
import type { Reached } from './reach-machine.ts';
import { turns } from './turns.ts';

const { signal } = new AbortController();
const context = async () => createSecureContext();
/** Nobody agrees on keys here. */
const talk: CallEnv['talk'] = async () => {
  throw new Error('nobody comes to talk');
};
const turnsOf = (called: number, talking: number, doubtful = 1) => turns({ called, talking, doubtful });
const calling = (reach: CallEnv['reach'], bounds = turns(), isDoubtful = false): CallEnv => ({
  reach,
  context,
  talk,
  turns: bounds,
  isDoubtful,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const all = (count: number, end: CallEnd['end']) => Array.from({ length: count }, () => ({ end }));

/** Machines that are reached, and then say nothing: no side of these sockets ever connects. */
function hanging(count: number, bounds = turns(), isDoubtful = false) {
  const reached: number[] = [];
  const ends = Array.from({ length: count }, (_, machine) => {
    const reach = async (): Promise<Reached> => {
      reached.push(machine);
      return new Socket();
    };
    return callMachine(calling(reach, bounds, isDoubtful), signal);
  });
  return { reached, ends };
}

test('a machine that hangs while keys are agreed on is given up at the deadline, and the next one is called', async () => {
  const { reached, ends } = hanging(3, turnsOf(1, 1));
  await vi.advanceTimersByTimeAsync(4_900);
  expect(reached).toEqual([0]);
  await vi.advanceTimersByTimeAsync(200);
  expect(reached).toEqual([0, 1]);
  expect(await ends[0]).toEqual({ end: 'unproven' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await Promise.all(ends)).toEqual(all(3, 'unproven'));
});

test('never are more machines called at once than the bound says, whatever they do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.constantFrom<'refused' | 'silent' | 'hangs'>('refused', 'silent', 'hangs'), { maxLength: 30 }),
      async (bound, machines) => {
        const bounds = turnsOf(bound, bound);
        const sockets: Socket[] = [];
        let waiting = 0;
        let most = 0;
        const order: number[] = [];
        const reachAs = (kind: (typeof machines)[number], machine: number) => async (): Promise<Reached> => {
          order.push(machine);
          waiting += 1;
          most = Math.max(most, waiting + sockets.filter(({ destroyed }) => !destroyed).length);
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          waiting -= 1;
          if (kind !== 'hangs') return kind;
          const socket = new Socket();
          sockets.push(socket);
          return socket;
        };
        const ends = machines.map((kind, machine) => callMachine(calling(reachAs(kind, machine), bounds), signal));
        await vi.advanceTimersByTimeAsync(machines.length * 6_000);
        expect((await Promise.all(ends)).map(({ end }) => end)).toEqual(
          machines.map((kind) => (kind === 'hangs' ? 'unproven' : kind)),
        );
        expect(most).toBe(Math.min(bound, machines.length));
        expect(order).toEqual(machines.map((_, machine) => machine));
      },
    ),
  );
});

test('machines that do not answer do not keep those that do from talking', async () => {
  const bounds = turnsOf(4, 1);
  const silent = async (): Promise<Reached> => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return 'silent';
  };
  const ends = [silent, silent, silent].map((reach) => callMachine(calling(reach, bounds), signal));
  const refused = callMachine(
    calling(async () => 'refused', bounds),
    signal,
  );
  await vi.advanceTimersByTimeAsync(1);
  expect(await refused).toEqual({ end: 'refused' });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await Promise.all(ends)).toEqual(all(3, 'silent'));
});

test('a machine whose turn comes late is connected to afresh, and keeps its turn', async () => {
  const { reached, ends } = hanging(2, turnsOf(2, 1));
  await vi.advanceTimersByTimeAsync(1);
  expect(reached).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reached).toEqual([0, 1, 1]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await Promise.all(ends)).toEqual([{ end: 'unproven' }, { end: 'unproven' }]);
});

test('a machine that the cloud no longer lists is not called when its turn comes', async () => {
  const bounds = turnsOf(1, 1);
  const first = hanging(1, bounds);
  const gone = new AbortController();
  let isReached = false;
  const reach = async (): Promise<Reached> => {
    isReached = true;
    return 'refused';
  };
  const second = callMachine(calling(reach, bounds), gone.signal).catch((error: unknown) => error);
  gone.abort(new Error('it is gone'));
  await vi.advanceTimersByTimeAsync(5_100);
  await Promise.all(first.ends);
  expect(await second).toEqual(new Error('it is gone'));
  expect(isReached).toBe(false);
});

test('machines that did not prove themselves before take no turn from the others', async () => {
  const bounds = turnsOf(1, 1);
  const hostile = hanging(5, bounds, true);
  const other = hanging(1, bounds);
  await vi.advanceTimersByTimeAsync(5_100);
  expect(await other.ends[0]).toEqual({ end: 'unproven' });
  await vi.advanceTimersByTimeAsync(5 * 5_100);
  expect(await Promise.all(hostile.ends)).toEqual(all(5, 'unproven'));
});
