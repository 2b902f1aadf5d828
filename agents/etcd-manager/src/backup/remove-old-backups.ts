import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import {
  BACKUP_DATA,
  BACKUP_FACTS,
  BACKUP_META,
  BACKUP_VERIFIED,
  backupTimeMs,
  ENCRYPTED_BACKUP_DATA,
  parseBackupFacts,
  parseBackupVerified,
} from '@kopsctl/state-store/etcd/backup-layout.ts';
import { pendingCommands } from '@kopsctl/state-store/etcd/command.ts';
import { finishedBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { readRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import { KnownObjects } from '@kopsctl/state-store/known-objects.ts';
import type { Entry, StateStore } from '@kopsctl/state-store/store.ts';
import { planRetention, retentionFrom, type RetainedBackup } from './plan-retention.ts';
import { backupIntervalMs } from './plan-schedule.ts';

/** No backup takes this long: a folder without a meta file after it was left by a failed backup. */
const UNFINISHED_MS = 24 * 60 * 60_000;
/** As many as finished ones are removed in a round. */
const MOST_UNFINISHED = 10;

/** The meta file first, so that a partly removed backup does not count as one. */
const FILES = [BACKUP_META, BACKUP_FACTS, BACKUP_VERIFIED, BACKUP_DATA, ENCRYPTED_BACKUP_DATA];

/** Why a backup was taken, or whether it could be restored. */
type BackupNote = { readonly name: string } & Pick<RetainedBackup, 'reason' | 'proof'>;

/** The notes beside the backups of an etcd cluster. Each is read once, because there are hundreds. */
export function backupNotes(
  { backupPath }: Pick<EtcdClusterConfig, 'backupPath'>,
  store: StateStore,
): KnownObjects<BackupNote> {
  const isNote = (path: string): boolean => path.endsWith(`/${BACKUP_FACTS}`) || path.endsWith(`/${BACKUP_VERIFIED}`);
  const parse = (text: string, path: string): BackupNote | undefined => {
    const name = folderOf(path, backupPath);
    const bytes = Buffer.from(text);
    if (path.endsWith(`/${BACKUP_FACTS}`)) {
      const reason = parseBackupFacts(bytes)?.reason;
      return reason === undefined ? undefined : { name, reason };
    }
    const verified = parseBackupVerified(bytes);
    return verified && { name, proof: verified.ok ? 'good' : 'bad' };
  };
  return new KnownObjects(store, backupPath, isNote, parse);
}

/**
 * Removes some of the backups that are past their retention, and of the backups that were never finished. Resolves with their names.
 * A restore whose backup is removed while it begins fails before it changes anything.
 */
export async function removeOldBackups(
  config: Pick<EtcdClusterConfig, 'backupPath' | 'env'>,
  store: StateStore,
  notes: KnownObjects<BackupNote>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { backupPath, env } = config;
  // Before the notes: a backup that appears meanwhile would have none, and count as one of the schedule.
  const entries = await store.list(backupPath, signal);
  const [noted, inUse] = await Promise.all([notes.read(signal), backupsInUse(backupPath, store, signal)]);
  const finished = finishedBackups(entries, backupPath).map(({ name }) => name);
  const storedMs = lastChanges(entries, backupPath);
  const backups = finished.map((name): RetainedBackup => {
    const { reason, proof } = Object.assign({}, ...noted.filter((note) => note.name === name)) as Partial<BackupNote>;
    return {
      name,
      storedMs: storedMs.get(name) ?? 0,
      ...(reason !== undefined && { reason }),
      ...(proof && { proof }),
    };
  });
  const plan = planRetention(backups, retentionFrom(env), { inUse, intervalMs: backupIntervalMs(env) });
  const old = [...plan, ...unfinished(storedMs, finished)];
  for (const name of old) {
    for (const file of FILES) await store.delete(`${backupPath}/${name}/${file}`, undefined, signal);
  }
  return old;
}

/** Backups that a restore needs or is about to need, and the way back from the last one. */
async function backupsInUse(backupPath: string, store: StateStore, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const [restore, commands] = await Promise.all([
    readRestore(store, backupPath, signal),
    pendingCommands(store, backupPath, signal),
  ]);
  const { backup, safetyBackup, carriedBackup } = restore?.record ?? {};
  const asked = commands.flatMap(({ wish }) => ('backup' in wish ? [wish.backup] : []));
  return new Set([backup, safetyBackup, carriedBackup, ...asked].filter((name) => name !== undefined));
}

/** When the last file of each backup was stored, by the store's clock. */
function lastChanges(entries: readonly Entry[], backupPath: string): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const { path, modifiedMs } of entries) {
    // A verification comes later, and does not make a backup younger.
    if (path.endsWith(`/${BACKUP_VERIFIED}`)) continue;
    const name = folderOf(path, backupPath);
    changes.set(name, Math.max(modifiedMs, changes.get(name) ?? 0));
  }
  return changes;
}

/** Folders of backups that were never finished, although others were stored long after them. */
function unfinished(storedMs: ReadonlyMap<string, number>, finished: readonly string[]): readonly string[] {
  const newestMs = Math.max(0, ...finished.map((name) => storedMs.get(name) ?? 0));
  return [...storedMs]
    .filter(
      ([name, ms]) => backupTimeMs(name) !== undefined && !finished.includes(name) && newestMs - ms > UNFINISHED_MS,
    )
    .map(([name]) => name)
    .slice(0, MOST_UNFINISHED);
}

function folderOf(path: string, backupPath: string): string {
  return path.slice(backupPath.length + 1).split('/')[0] ?? '';
}
