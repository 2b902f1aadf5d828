import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { volumeLayout } from './etcd/settings.ts';

/**
 * Moves the data of these cluster tokens out of `data/` into `data-trashcan/` on the same volume, so that a person can
 * still get it back. One generation is kept: whatever the trashcan held before is deleted first.
 */
export async function moveToTrashcan(
  { mountPoint }: Pick<EtcdClusterConfig, 'mountPoint'>,
  tokens: readonly string[],
): Promise<void> {
  const { data, trashcan } = volumeLayout(mountPoint);
  await rm(trashcan, { recursive: true, force: true });
  await mkdir(trashcan, { recursive: true, mode: 0o700 });
  for (const token of tokens) await rename(join(data, token), join(trashcan, token));
}
