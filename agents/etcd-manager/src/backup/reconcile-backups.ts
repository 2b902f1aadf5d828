import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { backupIntervalMs, cronOf } from './plan-schedule.ts';
import { backupNotes, removeOldBackups } from './remove-old-backups.ts';
import { takeBackup, type BackupEnv, type BackupRequest } from './take-backup.ts';
import type { StoredBackup } from './store-backup.ts';
import { wallClockSchedule } from './wall-clock-schedule.ts';

/** The schedule wakes the loop; this only limits one wait. */
const IDLE_MS = 60 * 60_000;

export interface BackupsEnv extends BackupEnv {
  /** Outlives a failure of the loop, so that a failed backup is tried again at once and not only at the next moment of the schedule. */
  readonly due: { isDue: boolean };
  /** Resolves with this machine's member and the number of members if this machine leads; undefined if another one does. */
  leads(signal: AbortSignal): Promise<Omit<BackupRequest, 'reason'> | undefined>;
  /** Called for every backup, and for every failed attempt. */
  readonly onBackup?: ((outcome: { readonly saved: StoredBackup } | { readonly failed: unknown }) => void) | undefined;
}

/** While this machine leads, takes backups on schedule and removes old ones, until `signal` aborts. */
export async function reconcileBackups(config: EtcdClusterConfig, env: BackupsEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  const notes = backupNotes(config, env.store);
  const moments = wallClockSchedule(cronOf(backupIntervalMs(config.env)), () => wake.ring());
  try {
    while (!signal.aborted) {
      env.due.isDue ||= await wake.wait(IDLE_MS, signal);
      if (!env.due.isDue) continue;
      const leader = await env.leads(signal);
      if (leader !== undefined) await backUp(config, { ...leader, reason: 'scheduled' }, env, signal);
      env.due.isDue = false;
      if (leader === undefined) continue;
      const removed = await removeOldBackups(config, env.store, notes, signal);
      if (removed.length > 0) env.log.info('removed old backups', { count: removed.length, first: removed[0] });
    }
  } finally {
    moments.stop();
  }
}

async function backUp(
  config: EtcdClusterConfig,
  request: BackupRequest,
  env: BackupsEnv,
  signal: AbortSignal,
): Promise<void> {
  try {
    const saved = await takeBackup(config, request, env, signal);
    env.onBackup?.({ saved });
    const { databaseBytes, storedBytes, durationMs } = saved.facts;
    const backup = `${config.backupPath}/${saved.name}`;
    env.log.info('backup saved', { backup, databaseBytes, storedBytes, durationMs });
  } catch (failed) {
    if (!signal.aborted) env.onBackup?.({ failed });
    throw failed;
  }
}
