import { setTimeout as sleep } from 'node:timers/promises';
import { KUBELET_UNIT } from '@kopsctl/node-plan/kubelet-unit.ts';
import type { StateBoard } from '../state/state-board.ts';
import { parseUnits, troubleOf } from './unit-troubles.ts';

/** What pods need to run. A machine has one of the two runtimes. */
const UNITS = [KUBELET_UNIT, 'containerd.service', 'docker.service'];
/** Each look starts a process, and nobody waits for it. */
const EVERY_MS = 5_000;

export interface UnitsEnv {
  readonly board: StateBoard;
  /** What `systemctl show` prints of units. */
  readonly showUnits: (units: readonly string[], signal: AbortSignal) => Promise<string>;
}

/**
 * Reports which units should run but do not, once nodeup is done. A unit that is being restarted is not reported: only trouble
 * that is there at two looks is.
 */
export async function watchUnits({ board, showUnits }: UnitsEnv, signal: AbortSignal): Promise<void> {
  let restarts: ReadonlyMap<string, number> | undefined;
  let before: ReadonlySet<string> = new Set();
  while (!signal.aborted) {
    const units = parseUnits(await showUnits(UNITS, signal));
    const troubles = units.flatMap((unit) => {
      const trouble = troubleOf(unit, restarts?.get(unit.name) ?? unit.restarts);
      return trouble === undefined ? [] : [[unit.name, trouble] as const];
    });
    const isDone = board.state.boot?.result === 'done';
    board.units(isDone ? Object.fromEntries(troubles.filter(([name]) => before.has(name))) : {});
    restarts = new Map(units.map((unit) => [unit.name, unit.restarts]));
    before = new Set(isDone ? troubles.map(([name]) => name) : []);
    await sleep(EVERY_MS, undefined, { signal });
  }
}
