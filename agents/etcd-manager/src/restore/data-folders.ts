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
  return join(dataFolder(volume, token), 'member', 'snap', 'db');
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

/** The cluster tokens of which there is a folder. */
export async function tokensOn({ mountPoint }: Volume): Promise<readonly string[]> {
  try {
    return await readdir(volumeLayout(mountPoint).data);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
