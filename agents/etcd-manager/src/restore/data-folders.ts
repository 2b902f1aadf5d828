import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { volumeLayout } from '../etcd/settings.ts';

type Volume = Pick<EtcdClusterConfig, 'mountPoint'>;

/** Where the data of a cluster token lies on the volume. */
export function dataFolder({ mountPoint }: Volume, token: string): string {
  return join(volumeLayout(mountPoint).data, token);
}

/** Where an etcd of that token has its database. */
export function databasePath(volume: Volume, token: string): string {
  return databasePathIn(dataFolder(volume, token));
}

/** The same for a data folder anywhere. */
export function databasePathIn(dataDir: string): string {
  return join(dataDir, 'member', 'snap', 'db');
}

export async function hasDatabase(volume: Volume, token: string): Promise<boolean> {
  try {
    await access(databasePath(volume, token));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** Where an etcd of that token has its write-ahead log. */
export function logFolder(volume: Volume, token: string): string {
  return join(dataFolder(volume, token), 'member', 'wal');
}

/** The cluster tokens of which there is a folder. */
export async function tokensOn({ mountPoint }: Volume): Promise<readonly string[]> {
  return entriesOf(volumeLayout(mountPoint).data);
}

/** The tokens whose data has a write-ahead log: a folder without one is a first start that did not come that far. */
export async function tokensWithLog(volume: Volume): Promise<readonly string[]> {
  const tokens = (await tokensOn(volume)).toSorted();
  const logs = await Promise.all(tokens.map((token) => entriesOf(logFolder(volume, token))));
  return tokens.filter((_, index) => logs[index]?.some((name) => name.endsWith('.wal')));
}

/** What lies in a folder; nothing where there is none. */
export async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
