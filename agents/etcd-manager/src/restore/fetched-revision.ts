import { join } from 'node:path';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { snapshotTools } from '../backup/snapshot-tools.ts';
import { withTemporaryFolder } from '../backup/temporary-folder.ts';
import { spareBytesOf } from '../backup/volume-room.ts';
import { fetchDatabase } from './fetch-database.ts';
import type { FetchEnv } from './fetch-snapshot.ts';

/**
 * Reads the revision of a backup from the snapshot itself: kops does not record it. The snapshot is fetched to the volume of
 * an etcd that may still run, so it may only take what that can spare.
 *
 * @throws as `fetchDatabase` does
 */
export async function fetchedRevision(
  name: string,
  config: EtcdClusterConfig,
  env: Omit<FetchEnv, 'mostBytes'>,
  signal: AbortSignal,
): Promise<number> {
  return withTemporaryFolder(join(config.mountPoint, 'restoring'), async (folder) => {
    const mostBytes = Math.max(0, await spareBytesOf(config.mountPoint));
    const { path } = await fetchDatabase(name, folder, config, { ...env, mostBytes }, signal);
    const tools = await snapshotTools(config.binDir);
    return (await tools.status(path, signal)).revision;
  });
}
