import { createHash } from 'node:crypto';
import type { Environment } from '../etcd/settings.ts';

/** One etcd process, run by something that outlives this program. */
export interface EtcdUnit {
  /** e.g. `etcd-main`. */
  readonly name: string;
  readonly binary: string;
  readonly mountPoint: string;
  readonly lasting: Environment;
  readonly initial: Environment;
}

/** Runs etcd: systemd in production, child processes in tests. */
export interface UnitRunner {
  /** `identity` is that of the unit as it was last started (see `identityOf`); absent if it never was. */
  observe(name: string): Promise<{ readonly identity?: string; readonly isRunning: boolean }>;
  /** Starts the unit, or restarts it with these settings. Does not wait until etcd serves. */
  start(unit: EtcdUnit): Promise<void>;
  /** Stops the unit with SIGTERM and waits until it has exited. Does nothing if it does not run. */
  stop(name: string): Promise<void>;
  /** Whether the machine shuts down, and etcd will be stopped with it. */
  isMachineEnding(): Promise<boolean>;
}

/** A hash that changes exactly when etcd has to be restarted: the settings that matter only as it starts do not count. */
export function identityOf(unit: Pick<EtcdUnit, 'binary' | 'lasting'>): string {
  const settings = Object.entries(unit.lasting).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([unit.binary, settings]))
    .digest('hex');
}
