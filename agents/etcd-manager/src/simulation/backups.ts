import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import {
  BACKUP_DATA,
  BACKUP_FACTS,
  BACKUP_META,
  backupName,
  printBackupMeta,
  printJson,
  type BackupFacts,
} from '@kopsctl/state-store/etcd/backup-layout.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { StoredBackup } from '../backup/store-backup.ts';
import { revisionOf, type EtcdData } from './simulated-etcd.ts';

type Content = Pick<EtcdData, 'base' | 'log'>;

/** Stores what an etcd has in the form of a backup: the snapshot is the list of its writes. */
export async function storeContent(
  content: Content,
  wallMs: number,
  said: Pick<BackupFacts, 'reason' | 'takenBy'>,
  { backupPath, etcdVersion }: Pick<EtcdClusterConfig, 'backupPath' | 'etcdVersion'>,
  store: StateStore,
): Promise<StoredBackup> {
  const { log, base } = content;
  const data = Buffer.from(printJson({ log, base }));
  const name = await freeName(wallMs, backupPath, store);
  const sizes = { storedBytes: data.byteLength, databaseBytes: data.byteLength, entries: log.length, durationMs: 0 };
  const facts = { sha256: 'x', ...sizes, revision: revisionOf(content), ...said };
  const write = (file: string, bytes: Uint8Array) =>
    store.write(`${backupPath}/${name}/${file}`, bytes, { ifAbsent: true });
  await write(BACKUP_DATA, data);
  await write(BACKUP_FACTS, Buffer.from(printJson(facts)));
  await write(BACKUP_META, Buffer.from(printBackupMeta({ memberCount: 3, etcdVersion }, wallMs)));
  return { name, facts };
}

async function freeName(wallMs: number, backupPath: string, store: StateStore): Promise<string> {
  for (let sequence = 0; ; sequence += 1) {
    const name = backupName(wallMs, sequence);
    if ((await store.list(`${backupPath}/${name}`)).length === 0) return name;
  }
}

/** @throws when the backup is not there */
export async function readContent(name: string, backupPath: string, store: StateStore): Promise<Content> {
  const stored = await store.read(`${backupPath}/${name}/${BACKUP_DATA}`);
  if (stored === undefined) throw new Error(`the data of the backup ${name} was removed`);
  return JSON.parse(Buffer.from(stored.bytes).toString('utf8')) as Content;
}
