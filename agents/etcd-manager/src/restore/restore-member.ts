import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { syncFolder } from '@kopsctl/files/folder.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { minorNumber, minorOf } from '@kopsctl/spec/minor-version.ts';
import { snapshotTools } from '../backup/snapshot-tools.ts';
import { withTemporaryFolder } from '../backup/temporary-folder.ts';
import { memberName, peerUrl } from '../etcd/settings.ts';
import { dataFolder } from './data-folders.ts';
import { fetchDatabase } from './fetch-database.ts';
import type { FetchEnv } from './fetch-snapshot.ts';
import { dataVersion } from '../versions/data-version.ts';
import { binariesOf } from '../versions/reconcile-versions.ts';
import { startsFromRestored } from '../versions/starts-from-restored.ts';
import { raiseRevision } from './raise-revision.ts';

/** The folder of the tools of a version of etcd, or of another patch release of it. @throws ActionableError if there is none */
function binDirFor(version: string, config: EtcdClusterConfig): string {
  const binaries = binariesOf(config);
  const found =
    binaries.find((binary) => binary.version === version) ??
    binaries.find((binary) => minorNumber(binary.version) === minorNumber(version));
  if (found !== undefined) return found.binDir;
  throw new ActionableError({
    what: `restore a backup with etcd ${version}`,
    why: `this machine has ${binaries.map((binary) => binary.version).join(', ')}`,
    next: 'let nodeup install it: run `kopsctl rolling-update`, or restart nodeup on this machine',
  });
}

/** Once the restored data counts there is no way back, and no etcd would start. @throws ActionableError */
async function refuseDataOfLaterVersion(
  database: string,
  { backup, etcdVersion }: Pick<RestoreRecord, 'etcdVersion'> & { readonly backup: string },
): Promise<void> {
  const written = await dataVersion(database);
  if (written === undefined || startsFromRestored(etcdVersion, written)) return;
  throw new ActionableError({
    what: `restore ${backup} with etcd ${etcdVersion}`,
    why: `its data is of etcd ${minorOf(written)}, and ${minorOf(etcdVersion)} does not start from data of a later version`,
    next: `set spec.etcdClusters[].version to a version of ${minorOf(written)}, or restore a backup that etcd ${minorOf(etcdVersion)} or older has taken`,
  });
}

/**
 * Restores the backup of `record` as this member's data, beside the current data: `data/<token>` appears completely or not
 * at all, and nothing else is touched. All members restore the same file, so they begin with equal databases.
 */
export async function restoreMember(
  config: EtcdClusterConfig,
  member: string,
  record: RestoreRecord & { readonly backup: string; readonly revision: number },
  /** `onFetched` is called once the backup is on the volume; the rest is short and needs only this machine. */
  env: FetchEnv & { readonly onFetched: () => void },
  signal: AbortSignal,
): Promise<void> {
  const folder = join(config.mountPoint, 'restoring');
  await withTemporaryFolder(folder, async (temporary) => {
    const tools = await snapshotTools(binDirFor(record.etcdVersion, config));
    // Asked before anything is fetched: a fetch that nobody awaits any more would go on in a folder that was removed.
    const canBump = await tools.canBumpRevision(signal);
    const snapshot = await fetchDatabase(record.backup, temporary, config, env, signal);
    env.onFetched();
    const dataDir = join(temporary, 'data');
    // The facts of a backup name its revision, but a backup of kops has none.
    const revision = snapshot.facts?.revision ?? (await tools.status(snapshot.path, signal)).revision;
    await tools.restore(
      {
        snapshot: snapshot.path,
        dataDir,
        name: memberName(member),
        peerUrl: peerUrl(config, member),
        initialCluster: record.members.map((name) => `${memberName(name)}=${peerUrl(config, name)}`).join(','),
        token: record.token,
        // A fetched snapshot was verified already, and converted data of etcd 2 has no checksum.
        isChecked: true,
        ...(canBump && { bumpRevision: record.revision - revision }),
      },
      signal,
    );
    const database = join(dataDir, 'member', 'snap', 'db');
    if (!canBump) await raiseRevision(database, record.revision);
    await refuseDataOfLaterVersion(database, record);
    await snapshot.remove();
    const target = dataFolder(config, record.token);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { recursive: true, force: true });
    // After an abort the data is removed, so nothing may appear any more.
    signal.throwIfAborted();
    await rename(dataDir, target);
    await syncFolder(dirname(target));
  });
}
