import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { describeBackup, lastStoredBackup } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { VerifiedBackup } from './verify-backup.ts';
import { wallClockSchedule } from './wall-clock-schedule.ts';

/** Hourly, because retention keeps one backup per hour. Seven minutes past, so that no backup is being taken. */
const SCHEDULE = '7 * * * *';
/** The schedule wakes the loop; this only limits one wait. */
const IDLE_MS = 60 * 60_000;

export interface VerificationsEnv {
  readonly store: StateStore;
  readonly log: Log;
  /** Resolves with this machine's member if this machine leads; undefined if another one does. */
  leads(signal: AbortSignal): Promise<string | undefined>;
  verify(backup: string, by: string, signal: AbortSignal): Promise<VerifiedBackup>;
}

/** While this machine leads, verifies the newest backup every hour unless it is proven already, until `signal` aborts. */
export async function reconcileVerifications(
  config: EtcdClusterConfig,
  env: VerificationsEnv,
  signal: AbortSignal,
): Promise<void> {
  const wake = new Wake();
  const moments = wallClockSchedule(SCHEDULE, () => wake.ring());
  try {
    while (!signal.aborted) {
      if (!(await wake.wait(IDLE_MS, signal))) continue;
      const by = await env.leads(signal);
      if (by !== undefined) await verifyNewest(config, by, env, signal);
    }
  } finally {
    moments.stop();
  }
}

async function verifyNewest(
  config: EtcdClusterConfig,
  by: string,
  env: VerificationsEnv,
  signal: AbortSignal,
): Promise<void> {
  const newest = await lastStoredBackup(env.store, config.backupPath, signal);
  if (newest === undefined) return;
  const { verified } = await describeBackup(env.store, config.backupPath, newest, signal);
  if (verified?.ok === true) return;
  const result = await env.verify(newest.name, by, signal);
  if (result.ok) {
    const { name, keys, revision, durationMs } = result;
    env.log.info('backup verified', { backup: name, keys, revision, durationMs });
  } else {
    env.log.error('backup cannot be restored', {
      backup: result.name,
      reason: result.failure,
      next: 'take another backup with `kopsctl etcd backup`, and check the store',
    });
  }
}
