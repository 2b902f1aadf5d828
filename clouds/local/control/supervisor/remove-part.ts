import { rm } from 'node:fs/promises';
import type { ClusterHost } from './cluster-host.ts';
import { collectClusterGarbage } from './collect-garbage.ts';
import { livingHolder } from './holder.ts';
import { requireOwn } from './own-cluster.ts';

/** Asks the supervisor to remove a machine or volume. If none runs, nothing of the cluster does, and only files are left. */
export async function removePart(
  host: ClusterHost,
  ask: () => Promise<unknown>,
  files: readonly string[],
): Promise<void> {
  await requireOwn(host);
  if ((await livingHolder(host.paths)) !== undefined) {
    await ask();
    return;
  }
  await collectClusterGarbage(host.dir, host.cluster);
  for (const file of files) await rm(file, { recursive: true, force: true });
}
