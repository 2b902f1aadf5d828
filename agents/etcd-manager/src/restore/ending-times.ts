import { endingApiServers } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';

/** Measures, by the monotonic clock of this machine, how long each API server on a machine without etcd has been ending. */
export class EndingTimes {
  #sinceMs: ReadonlyMap<string, number> = new Map();

  /** How long by machine. One that began to end again, or that ends for another restore, starts at zero. */
  measure(record: RestoreRecord, nowMs: number): Readonly<Record<string, number>> {
    const since = endingApiServers(record).map((machine) => {
      const key = `${record.token} ${machine}`;
      return { machine, key, ms: this.#sinceMs.get(key) ?? nowMs };
    });
    this.#sinceMs = new Map(since.map(({ key, ms }) => [key, ms]));
    return Object.fromEntries(since.map(({ machine, ms }) => [machine, nowMs - ms]));
  }
}
