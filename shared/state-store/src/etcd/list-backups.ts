import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Entry, StateStore } from '../store.ts';
import {
  BACKUP_DATA,
  BACKUP_FACTS,
  BACKUP_META,
  BACKUP_VERIFIED,
  backupTimeMs,
  ENCRYPTED_BACKUP_DATA,
  parseBackupFacts,
  parseBackupMeta,
  parseBackupVerified,
  type BackupFacts,
  type BackupMeta,
  type BackupVerified,
} from './backup-layout.ts';

/** A backup that was finished. */
export interface ListedBackup {
  readonly name: string;
  readonly takenMs: number;
  /** Of the data file, as it is stored. */
  readonly storedBytes: number;
  readonly isEncrypted: boolean;
}

export interface BackupDetails extends ListedBackup {
  readonly meta: BackupMeta;
  /** Absent for a backup that kops took. */
  readonly facts?: BackupFacts;
  readonly verified?: BackupVerified;
}

/** Every finished backup, oldest first. Costs one listing; nothing is read. */
export async function listBackups(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<readonly ListedBackup[]> {
  return finishedBackups(await store.list(backupPath, signal), backupPath);
}

/** The backups whose meta file and data are both among these objects. */
export function finishedBackups(entries: readonly Entry[], backupPath: string): readonly ListedBackup[] {
  const sizes = new Map(entries.map(({ path, size }) => [path.slice(backupPath.length + 1), size]));
  return [...sizes.keys()]
    .filter((path) => path.endsWith(`/${BACKUP_META}`))
    .flatMap((path) => {
      const name = path.slice(0, -BACKUP_META.length - 1);
      const takenMs = backupTimeMs(name);
      const plain = sizes.get(`${name}/${BACKUP_DATA}`);
      const storedBytes = plain ?? sizes.get(`${name}/${ENCRYPTED_BACKUP_DATA}`);
      if (takenMs === undefined || storedBytes === undefined) return [];
      return [{ name, takenMs, storedBytes, isEncrypted: plain === undefined }];
    })
    .sort((a, b) => a.takenMs - b.takenMs || (a.name < b.name ? -1 : 1));
}

/**
 * The finished backup that was stored last, by the store's clock. Names tell what the clock of a machine said: a backup that
 * was taken while it was ahead would stay the newest until that time comes.
 */
export async function lastStoredBackup(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<ListedBackup | undefined> {
  return lastStoredAmong(await store.list(backupPath, signal), backupPath);
}

/** The same among the objects of a listing. */
export function lastStoredAmong(entries: readonly Entry[], backupPath: string): ListedBackup | undefined {
  const storedMs = new Map(entries.map(({ path, modifiedMs }) => [path, modifiedMs]));
  const endedMs = ({ name }: ListedBackup): number => storedMs.get(`${backupPath}/${name}/${BACKUP_META}`) ?? 0;
  return finishedBackups(entries, backupPath)
    .toSorted((a, b) => endedMs(a) - endedMs(b))
    .at(-1);
}

/** The store path of a backup's data. */
export function dataPath(backupPath: string, backup: Pick<ListedBackup, 'name' | 'isEncrypted'>): string {
  return `${backupPath}/${backup.name}/${backup.isEncrypted ? ENCRYPTED_BACKUP_DATA : BACKUP_DATA}`;
}

/** The meta file of a backup says nothing, so nobody can tell what its data is. The store is not at fault. */
export class UnreadableMetaError extends ActionableError {
  override readonly name = 'UnreadableMetaError';
}

/**
 * What is known about one backup; undefined when it is not there or was not finished.
 *
 * @throws UnreadableMetaError if its meta file is damaged
 */
export async function findBackup(
  store: StateStore,
  backupPath: string,
  name: string,
  signal?: AbortSignal,
): Promise<BackupDetails | undefined> {
  if (backupTimeMs(name) === undefined) return undefined;
  const entries = await store.list(`${backupPath}/${name}`, signal);
  const [listed] = finishedBackups(entries, backupPath);
  if (listed === undefined) return undefined;
  return describeBackup(store, backupPath, listed, signal);
}

/** Adds to a listed backup what its small files say. @throws UnreadableMetaError if its meta file is damaged */
export async function describeBackup(
  store: StateStore,
  backupPath: string,
  listed: ListedBackup,
  signal?: AbortSignal,
): Promise<BackupDetails> {
  const place = `${backupPath}/${listed.name}`;
  const [metaFile, factsFile, verifiedFile] = await Promise.all(
    [BACKUP_META, BACKUP_FACTS, BACKUP_VERIFIED].map((file) => store.read(`${place}/${file}`, signal)),
  );
  const facts = factsFile && parseBackupFacts(factsFile.bytes);
  const verified = verifiedFile && parseBackupVerified(verifiedFile.bytes);
  return {
    ...listed,
    meta: readMeta(`${place}/${BACKUP_META}`, metaFile?.bytes),
    ...(facts && { facts }),
    ...(verified && { verified }),
  };
}

/** A backup whose meta file is damaged. */
export interface DamagedBackup extends ListedBackup {
  readonly damage: string;
}

/** The same for those who look at many backups, of which a damaged one must not hide the others. */
export async function describeEvenDamaged(
  store: StateStore,
  backupPath: string,
  listed: ListedBackup,
): Promise<BackupDetails | DamagedBackup> {
  try {
    return await describeBackup(store, backupPath, listed);
  } catch (error) {
    if (error instanceof UnreadableMetaError) return { ...listed, damage: messageOf(error) };
    throw error;
  }
}

function readMeta(path: string, bytes: Uint8Array | undefined): BackupMeta {
  try {
    if (bytes === undefined) throw new Error('it was removed in the meantime');
    return parseBackupMeta(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new UnreadableMetaError({
      what: `read ${path}`,
      why: messageOf(cause),
      next: 'use another backup: `kopsctl etcd list-backups`',
      cause,
    });
  }
}
