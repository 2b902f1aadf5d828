import { glob, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { volumeLayout } from '../etcd/settings.ts';

/** etcd advises against a larger quota for its database (server/etcdserver/quota.go: MaxQuotaBytes). */
const MOST_FOR_ETCD_BYTES = 8 * 1024 ** 3;

/** How many bytes may be written to a volume beside etcd. */
export async function spareBytesOf(mountPoint: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(mountPoint);
  return spareBytes(bavail * bsize, blocks * bsize);
}

/** A tenth of the volume is left free for etcd, and of a large one as much as etcd may ever need. */
export function spareBytes(freeBytes: number, volumeBytes: number): number {
  return freeBytes - Math.min(volumeBytes / 10, MOST_FOR_ETCD_BYTES);
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
  return (await ifThere(stat(path)))?.size ?? 0;
}
