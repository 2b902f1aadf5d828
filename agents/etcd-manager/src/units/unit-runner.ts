import { createHash } from 'node:crypto';
import type { Environment } from '../etcd/settings.ts';

/** One etcd, to be run by something that outlives this program. */
export interface EtcdUnit {
  /** e.g. `etcd-main`. */
  readonly name: string;
  readonly binary: string;
  readonly mountPoint: string;
  readonly lasting: Environment;
  readonly initial: Environment;
}

/** What can run an etcd: systemd in production, a child process in tests. */
export interface UnitRunner {
  /** `identity` is that of the unit as it was started last (see `identityOf`). */
  observe(name: string): Promise<{ readonly identity?: string; readonly isRunning: boolean }>;
  /** Starts it, or starts it anew with these settings. Does not wait until it serves. */
  start(unit: EtcdUnit): Promise<void>;
  /** Ends it with SIGTERM and time, and waits for its end. Fine when it does not run. */
  stop(name: string): Promise<void>;
}

/** Equal for units that need no restart: what is read only while there is no data does not count. */
export function identityOf(unit: Pick<EtcdUnit, 'binary' | 'lasting'>): string {
  const settings = Object.entries(unit.lasting).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([unit.binary, settings]))
    .digest('hex');
}
