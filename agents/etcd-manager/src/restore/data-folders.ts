import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { volumeLayout } from '../etcd/settings.ts';

type Volume = Pick<EtcdClusterConfig, 'mountPoint'>;

/** The folder of the data of a cluster token. */
export function dataFolder({ mountPoint }: Volume, token: string): string {
  return join(volumeLayout(mountPoint).data, token);
}

/** The path of the database of a cluster token. */
export function databasePath(volume: Volume, token: string): string {
  return databasePathIn(dataFolder(volume, token));
}

/** The path of the database in a data folder. */
export function databasePathIn(dataDir: string): string {
  return join(dataDir, 'member', 'snap', 'db');
}

/** Whether there is a database of a cluster token. */
export async function hasDatabase(volume: Volume, token: string): Promise<boolean> {
  return (await ifThere(stat(databasePath(volume, token)))) !== undefined;
}

/** The folder of the write-ahead log of a cluster token. */
function logFolder(volume: Volume, token: string): string {
  return join(dataFolder(volume, token), 'member', 'wal');
}

/** The cluster tokens that have a data folder. */
export async function tokensOn({ mountPoint }: Volume): Promise<readonly string[]> {
  return entriesOf(volumeLayout(mountPoint).data);
}

/** The tokens whose data has a write-ahead log. A folder without one was left by a first start that was interrupted. */
export async function tokensWithLog(volume: Volume): Promise<readonly string[]> {
  const tokens = (await tokensOn(volume)).toSorted();
  const logs = await Promise.all(tokens.map((token) => entriesOf(logFolder(volume, token))));
  return tokens.filter((_, index) => logs[index]?.some((name) => name.endsWith('.wal')));
}

/** The names in a folder; none if the folder does not exist. */
export async function entriesOf(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}
