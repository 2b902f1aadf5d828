import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { snapshotTools } from '../backup/snapshot-tools.ts';
import { withTemporaryFolder } from '../backup/temporary-folder.ts';
import { memberName, peerUrl } from '../etcd/settings.ts';
import { dataFolder } from './data-folders.ts';
import { fetchDatabase } from './fetch-database.ts';
import type { FetchEnv } from './fetch-snapshot.ts';
import { minorOf } from '../versions/choose-version.ts';
import { binariesOf } from '../versions/reconcile-versions.ts';
import { raiseRevision } from './raise-revision.ts';

/** The programs of the version that is to serve the data; a patch release of it does as well. */
function binDirFor(version: string, config: EtcdClusterConfig): string {
  const binaries = binariesOf(config);
  const found =
    binaries.find((binary) => binary.version === version) ??
    binaries.find((binary) => minorOf(binary.version) === minorOf(version));
  if (found !== undefined) return found.binDir;
  throw new ActionableError({
    what: `restore a backup with etcd ${version}`,
    why: `this machine has ${binaries.map((binary) => binary.version).join(', ')}`,
    next: 'let nodeup install it: kopsctl rolling-update, or restart nodeup on this machine',
  });
}

/**
 * Restores the snapshot of `record` as this member's data, beside what is there: `data/<token>` appears whole or not at
 * all, and nothing else is touched. All members do the same with the same file, so they begin with equal databases.
 */
export async function restoreMember(
  config: EtcdClusterConfig,
  member: string,
  record: RestoreRecord & { readonly backup: string; readonly revision: number },
  /** `onFetched`: what remains needs nobody but this machine, and is short. */
  env: FetchEnv & { readonly onFetched: () => void },
  signal: AbortSignal,
): Promise<void> {
  const folder = join(config.mountPoint, 'restoring');
  await withTemporaryFolder(folder, async (temporary) => {
    const tools = await snapshotTools(binDirFor(record.etcdVersion, config));
    const [snapshot, canBump] = await Promise.all([
      fetchDatabase(record.backup, temporary, config, env, signal),
      tools.canBumpRevision(signal),
    ]);
    env.onFetched();
    const dataDir = join(temporary, 'data');
    // Of a backup of kops it is not written down.
    const revision = snapshot.facts?.revision ?? (await tools.status(snapshot.path, signal)).revision;
    await tools.restore(
      {
        snapshot: snapshot.path,
        dataDir,
        name: memberName(member),
        peerUrl: peerUrl(config, member),
        initialCluster: record.members.map((name) => `${memberName(name)}=${peerUrl(config, name)}`).join(','),
        token: record.token,
        // What was fetched was compared already; what was made of etcd 2's data has no checksum.
        isChecked: true,
        ...(canBump && { bumpRevision: record.revision - revision }),
      },
      signal,
    );
    if (!canBump) await raiseRevision(join(dataDir, 'member', 'snap', 'db'), record.revision);
    await snapshot.remove();
    const target = dataFolder(config, record.token);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { recursive: true, force: true });
    // Whoever has ended it removes what is there: nothing may appear afterwards.
    signal.throwIfAborted();
    await rename(dataDir, target);
    await using parent = await open(dirname(target), 'r');
    await parent.sync();
  });
}
