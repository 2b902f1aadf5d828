import { schedule } from 'node-cron';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { describeBackup, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { VerifiedBackup } from './verify-backup.ts';

/** The newest backup of each hour stays; so each that stays is proven. Not at the minutes at which backups are taken. */
const SCHEDULE = '7 * * * *';
/** The schedule wakes the loop; this is only the longest it sleeps between two looks at the signal. */
const IDLE_MS = 60 * 60_000;

export interface VerificationsEnv {
  readonly store: StateStore;
  readonly log: Log;
  /** This machine's member, when it is the one that acts for all; undefined: another one is. */
  leads(signal: AbortSignal): Promise<string | undefined>;
  verify(backup: string, by: string, signal: AbortSignal): Promise<VerifiedBackup>;
}

/** Proves the newest backup every hour, unless that was done, while this machine leads. */
export async function reconcileVerifications(
  config: EtcdClusterConfig,
  env: VerificationsEnv,
  signal: AbortSignal,
): Promise<void> {
  const wake = new Wake();
  const job = schedule(SCHEDULE, () => wake.ring());
  try {
    while (!signal.aborted) {
      if (!(await wake.wait(IDLE_MS, signal))) continue;
      const by = await env.leads(signal);
      if (by !== undefined) await verifyNewest(config, by, env, signal);
    }
  } finally {
    await job.destroy();
  }
}

async function verifyNewest(
  config: EtcdClusterConfig,
  by: string,
  env: VerificationsEnv,
  signal: AbortSignal,
): Promise<void> {
  const newest = (await listBackups(env.store, config.backupPath, signal)).at(-1);
  if (newest === undefined) return;
  const { verified } = await describeBackup(env.store, config.backupPath, newest, signal);
  if (verified !== undefined) return;
  const result = await env.verify(newest.name, by, signal);
  if (result.ok) {
    env.log.info(
      `proved ${result.name}: ${result.keys ?? 0} keys at revision ${result.revision ?? 0}, ${result.durationMs} ms`,
    );
  } else {
    env.log.error(
      `${result.name} cannot be restored: ${result.failure ?? ''}; next: take another backup and look at the store`,
    );
  }
}
