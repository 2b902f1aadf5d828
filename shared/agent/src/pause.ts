import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits. For 0 ms, it waits only until everything that is due has had its turn: the shortest timer of Node is one
 * millisecond.
 *
 * @throws the error of the aborted signal
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await (ms === 0 ? nextTurn(undefined, { signal }) : sleep(ms, undefined, { signal }));
}
