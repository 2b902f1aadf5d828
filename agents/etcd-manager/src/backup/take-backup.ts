import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { execa } from 'execa';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { clientFiles } from '../etcd/certificates.ts';
import { volumeLayout } from '../etcd/settings.ts';
import { BACKUP_DATA, BACKUP_META, backupName, printBackupMeta } from '@kopsctl/state-store/etcd/backup-layout.ts';

export interface Backup {
  readonly name: string;
  readonly dbBytes: number;
  readonly storedBytes: number;
}

/**
 * Saves a snapshot of the local etcd into the store, in kops's layout: data first, then the meta file, without which a
 * backup counts as unfinished. etcdctl verifies the snapshot's checksum; both steps up to the finished file stream.
 *
 * TODO-hardening: the store takes whole objects, so the compressed file is read into memory to be written.
 */
export async function takeBackup(
  config: EtcdClusterConfig,
  options: {
    readonly address: string;
    readonly sequence: number;
    readonly memberCount: number;
    readonly store: StateStore;
  },
  signal: AbortSignal,
): Promise<Backup> {
  const folder = volumeLayout(config.mountPoint).outgoing;
  // What a crash has left here is of no use to anybody.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const snapshot = join(folder, 'snapshot.db');
    const compressed = join(folder, BACKUP_DATA);
    await saveSnapshot(config, options.address, snapshot, signal);
    // Level 1: half the time of the default for a few percent more bytes.
    await pipeline(
      createReadStream(snapshot),
      createGzip({ level: 1 }),
      createWriteStream(compressed, { mode: 0o600 }),
      { signal },
    );
    const [{ size: dbBytes }, { size: storedBytes }] = await Promise.all([stat(snapshot), stat(compressed)]);
    const nowMs = Date.now();
    const name = backupName(nowMs, options.sequence);
    const place = `${config.backupPath}/${name}`;
    await options.store.write(`${place}/${BACKUP_DATA}`, await readFile(compressed), { ifAbsent: true }, signal);
    const meta = printBackupMeta({ memberCount: options.memberCount, etcdVersion: config.etcdVersion }, nowMs);
    await options.store.write(`${place}/${BACKUP_META}`, Buffer.from(meta), { ifAbsent: true }, signal);
    return { name, dbBytes, storedBytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function saveSnapshot(
  config: EtcdClusterConfig,
  address: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { ca, cert, key } = clientFiles(config.mountPoint);
  const endpoint = `https://${address}:${config.clientPort}`;
  const credentials = [`--cacert=${ca}`, `--cert=${cert}`, `--key=${key}`];
  await execa(join(config.binDir, 'etcdctl'), [`--endpoints=${endpoint}`, ...credentials, 'snapshot', 'save', path], {
    env: { ETCDCTL_API: '3' },
    cancelSignal: signal,
    forceKillAfterDelay: 2000,
  });
}
