import { glob, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { volumeLayout } from '../etcd/settings.ts';

/** How many bytes may be written to a volume beside etcd. A tenth of the volume is left free for etcd. */
export async function spareBytesOf(mountPoint: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(mountPoint);
  return bavail * bsize - (blocks * bsize) / 10;
}

/** The size in bytes of the largest database on the volume; 0 if there is none. */
export async function databaseBytesOn({ mountPoint }: Pick<EtcdClusterConfig, 'mountPoint'>): Promise<number> {
  const { data } = volumeLayout(mountPoint);
  let bytes = 0;
  for await (const path of glob(join(data, '*', 'member', 'snap', 'db'))) {
    bytes = Math.max(bytes, await sizeOf(path));
  }
  return bytes;
}

/** The database may be moved or removed during the look. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
