import { schedule } from 'node-cron';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { clientFiles } from '../etcd/certificates.ts';
import { openEtcd } from '../etcd/client.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { BACKUP_DATA, BACKUP_META } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { planRetention, retentionFrom } from './plan-retention.ts';
import { takeBackup } from './take-backup.ts';

/** kops's etcd-manager backs up every 15 minutes. */
const SCHEDULE = '*/15 * * * *';
/** The schedule wakes the loop; this is only the longest it sleeps between two looks at the signal. */
const IDLE_MS = 60 * 60_000;

export interface BackupsEnv {
  /** Stays true over failures, so that a backup that failed is tried again at once and not only at the next hour. */
  readonly due: { isDue: boolean };
  readonly address: string;
  readonly store: StateStore;
  readonly log: Log;
}

/** Backs up on schedule while the local member leads; the other members do nothing. */
export async function reconcileBackups(config: EtcdClusterConfig, env: BackupsEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  const job = schedule(SCHEDULE, () => wake.ring());
  let sequence = 0;
  try {
    while (!signal.aborted) {
      env.due.isDue ||= await wake.wait(IDLE_MS, signal);
      if (!env.due.isDue) continue;
      const memberCount = await membersIfLeader(config, env.address, signal);
      if (memberCount === undefined) {
        env.due.isDue = false;
        continue;
      }
      sequence += 1;
      const { name, dbBytes, storedBytes } = await takeBackup(
        config,
        { address: env.address, sequence, memberCount, store: env.store },
        signal,
      );
      env.due.isDue = false;
      await removeOld(config, env, signal);
      env.log.info(`saved ${config.backupPath}/${name}: ${dbBytes} bytes of database in ${storedBytes}`);
    }
  } finally {
    await job.destroy();
  }
}

/** Removes the backups that have had their time: the meta file first, so that half a backup is never taken for one. */
async function removeOld(config: EtcdClusterConfig, env: BackupsEnv, signal: AbortSignal): Promise<void> {
  const entries = await env.store.list(config.backupPath, signal);
  const names = [...new Set(entries.map(({ path }) => path.slice(config.backupPath.length + 1).split('/')[0] ?? ''))];
  const old = planRetention(names, retentionFrom(config.env), Date.now());
  for (const name of old) {
    for (const file of [BACKUP_META, BACKUP_DATA]) {
      await env.store.delete(`${config.backupPath}/${name}/${file}`, undefined, signal);
    }
  }
  if (old.length > 0) env.log.info(`removed ${old.length} old backups, ${old[0] ?? ''} the first of them`);
}

/** How many members the cluster has, if the local one leads it. An etcd that does not answer leads nothing. */
async function membersIfLeader(
  config: EtcdClusterConfig,
  address: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const url = `https://${address}:${config.clientPort}`;
  let etcd;
  try {
    etcd = await openEtcd(url, config.etcdVersion, clientFiles(config.mountPoint));
    const { memberId, leaderId } = await etcd.status(signal);
    return memberId === leaderId ? (await etcd.members(signal)).length : undefined;
  } catch {
    // The reconciler of the cluster reports an etcd that is away; here it only means that there is nothing to save.
    return undefined;
  } finally {
    etcd?.close();
  }
}
