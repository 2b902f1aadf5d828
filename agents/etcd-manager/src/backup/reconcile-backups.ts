import { schedule } from 'node-cron';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { backupIntervalMs, cronOf } from './plan-schedule.ts';
import { removeOldBackups } from './remove-old-backups.ts';
import { takeBackup, type BackupEnv, type BackupRequest } from './take-backup.ts';
import type { StoredBackup } from './store-backup.ts';

/** The schedule wakes the loop; this is only the longest it sleeps between two looks at the signal. */
const IDLE_MS = 60 * 60_000;

export interface BackupsEnv extends BackupEnv {
  /** Stays true over failures, so that a backup that failed is tried again at once and not only at the next hour. */
  readonly due: { isDue: boolean };
  /** This machine's member and how many there are, when it is the one that acts for all; undefined: another one is. */
  leads(signal: AbortSignal): Promise<Omit<BackupRequest, 'reason'> | undefined>;
  /** Told of every backup, and of every try that failed. */
  readonly onBackup?: ((outcome: { readonly saved: StoredBackup } | { readonly failed: unknown }) => void) | undefined;
}

/** Backs up on schedule while this machine leads; the others do nothing. */
export async function reconcileBackups(config: EtcdClusterConfig, env: BackupsEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  const job = schedule(cronOf(backupIntervalMs(config.env)), () => wake.ring());
  try {
    while (!signal.aborted) {
      env.due.isDue ||= await wake.wait(IDLE_MS, signal);
      if (!env.due.isDue) continue;
      const leader = await env.leads(signal);
      if (leader !== undefined) await backUp(config, { ...leader, reason: 'scheduled' }, env, signal);
      env.due.isDue = false;
    }
  } finally {
    await job.destroy();
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
    env.log.info(
      `saved ${config.backupPath}/${saved.name}: ${databaseBytes} bytes of database in ${storedBytes}, ${durationMs} ms`,
    );
  } catch (failed) {
    if (!signal.aborted) env.onBackup?.({ failed });
    throw failed;
  }
  const removed = await removeOldBackups(config, env.store, Date.now(), signal);
  if (removed.length > 0) env.log.info(`removed ${removed.length} old backups, ${removed[0] ?? ''} the first of them`);
}
