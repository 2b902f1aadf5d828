import { glob, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { volumeLayout } from '../etcd/settings.ts';

/** What may be put onto a volume besides etcd: a tenth is left free for what etcd writes meanwhile. */
export async function spareBytesOf(mountPoint: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(mountPoint);
  return bavail * bsize - (blocks * bsize) / 10;
}

/** The size of the largest database on the volume. */
export async function databaseBytesOn({ mountPoint }: Pick<EtcdClusterConfig, 'mountPoint'>): Promise<number> {
  const { data } = volumeLayout(mountPoint);
  let bytes = 0;
  for await (const path of glob(join(data, '*', 'member', 'snap', 'db'))) {
    bytes = Math.max(bytes, await sizeOf(path));
  }
  return bytes;
}

/** Data is set aside and removed while somebody looks. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
