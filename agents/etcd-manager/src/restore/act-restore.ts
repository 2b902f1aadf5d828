import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { holdsEtcd2 } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { findBackup } from '@kopsctl/state-store/etcd/list-backups.ts';
import { holdersOfEtcd2 } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { writeRestore, type RestoreRecord, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError } from '@kopsctl/state-store/store.ts';
import type { StoredBackup } from '../backup/store-backup.ts';
import { takeBackup, type BackupRequest } from '../backup/take-backup.ts';
import { askEtcd, askIfThere } from '../etcd/ask-etcd.ts';
import { memberHost, volumeLayout } from '../etcd/settings.ts';
import { CREATED, parseMarker, printMarker, startedPath } from '../store/layout.ts';
import { readVersions, writeVersions } from '../versions/version-record.ts';
import { dataFolder } from './data-folders.ts';
import { MASTER_LEASES } from './running-api-servers.ts';
import { UnusableBackupError } from './fetch-snapshot.ts';
import { revisionKnownByNow, revisionToRestoreTo } from './known-revision.ts';
import { restoreMember } from './restore-member.ts';
import type { RestoreEnv } from './restore-env.ts';
import { enter, type RestoreStep } from './restore-step.ts';

/**
 * API servers name themselves here, each under a lease of 15 s that it renews (kube-apiserver's `lease` endpoint
 * reconciler). From a backup they would come back, and stay where the backup knows no lease (kops's own restores):
 * the `kubernetes` service would point at API servers that are gone.
 */
const STALE_PREFIXES = [MASTER_LEASES];
/** Events have a time to live of an hour. Of data of etcd 2 they come without it, and would stay for ever. */
const STALE_OF_ETCD2 = ['/registry/events/'];

/** Longer than an etcd takes to end, shorter than what is saved by it. */
const OTHERS_STOP_MS = 3_000;
const OTHERS_POLL_MS = 50;

/** Carries out one step and decides nothing. Each can be carried out again after a crash in its midst. */
export async function actRestore(
  step: RestoreStep,
  stored: StoredRecord,
  config: EtcdClusterConfig,
  volume: MemberFile,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<void> {
  const { record } = stored;
  const write = (next: RestoreRecord) => writeRestore(env.store, config.backupPath, next, stored, signal);
  switch (step.action) {
    case 'nothing':
    case 'wait':
      return;
    case 'write':
      return write(step.record);
    case 'hold-api-server':
      return env.apiServer.hold(config.name);
    case 'stop-etcd':
      await letOthersStopFirst(record, config, volume, env, signal);
      return env.etcd.stop(signal);
    case 'save':
      return write(await save(record, config, volume, env, signal));
    case 'begin':
      return write({ ...step.record, ...(await revisionKnownByNow(config, step.record, env, signal)) });
    case 'restore':
    case 'keep':
      throw new Error(`${step.action} is begun beside the other steps`);
    case 'switch-marker':
      return switchMarker(record, config, env, signal);
    case 'clean': {
      await clean(record, config, env, signal);
      return write(enter(record, 'finishing', Date.now()));
    }
    case 'release-api-server':
      return env.apiServer.release(config.name);
    case 'discard-data':
      return rm(dataFolder(config, record.token), { recursive: true, force: true });
    case 'set-old-data-aside':
      return setOldDataAside(config, record.token);
  }
}

/**
 * An etcd that leads hands over before it ends. Where all of them end at once, nobody takes it over, and it waits for
 * seven seconds (etcd 3.4 etcdserver/server.go, TransferLeadership: ReqTimeout); with nobody connected it ends at once.
 */
async function letOthersStopFirst(
  { members }: RestoreRecord,
  config: EtcdClusterConfig,
  { member }: MemberFile,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<void> {
  const status = (host: string) => askIfThere(host, config, (etcd) => etcd.status(signal), signal);
  const own = await status(env.address);
  if (own?.leaderId === undefined || own.leaderId !== own.memberId) return;
  const giveUpAtMs = performance.now() + OTHERS_STOP_MS;
  for (const other of members.filter((one) => one !== member)) {
    while (performance.now() < giveUpAtMs && (await status(memberHost(config, other))) !== undefined) {
      await sleep(OTHERS_POLL_MS, undefined, { signal });
    }
  }
}

/** Restores the backup as this member's data, beside what is there. */
export async function prepare(
  record: RestoreRecord,
  config: EtcdClusterConfig,
  volume: MemberFile,
  env: Pick<RestoreEnv, 'cluster' | 'store'> & { readonly onFetched: () => void },
  signal: AbortSignal,
): Promise<undefined> {
  const { backup, revision } = record;
  if (backup === undefined || revision === undefined) throw new Error('the record names no backup or no revision');
  const { cluster, store, onFetched } = env;
  const fetching = { cluster, backupPath: config.backupPath, store, onFetched };
  await restoreMember(config, volume.member, { ...record, backup, revision }, fetching, signal);
}

/** Backs up what is there, where there is an etcd to ask, and settles the revision that everybody restores to. */
async function save(
  record: RestoreRecord,
  config: EtcdClusterConfig,
  volume: MemberFile,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<RestoreRecord> {
  const fetching = { cluster: env.cluster, backupPath: config.backupPath, store: env.store };
  let saved: Pick<RestoreRecord, 'safetyBackup' | 'withoutSafetyBackup' | 'lastRevision'>;
  try {
    const request = { member: volume.member, memberCount: record.members.length, reason: `before ${record.reason}` };
    const { name, facts } = await takeFromAny(record, request, config, env, signal);
    saved = { safetyBackup: name, lastRevision: Math.max(record.lastRevision ?? 0, facts.revision) };
  } catch (error) {
    signal.throwIfAborted();
    // An etcd that does not start gives no snapshot; one that has only lost its quorum does, of what it knows.
    env.log.warn(`nothing of what is there could be backed up: ${messageOf(error)}`);
    // Data of etcd 2 is backed up in the phase `keeping`: no etcd serves it.
    saved = holdersOfEtcd2(record).length > 0 ? {} : { withoutSafetyBackup: messageOf(error) };
  }
  const backup = record.backup ?? saved.safetyBackup;
  if (backup === undefined) {
    const failure = `saving: ${saved.withoutSafetyBackup ?? ''}`;
    return enter(record, 'failed', Date.now(), { ...saved, failure });
  }
  if (record.revision !== undefined) {
    const last = saved.lastRevision ?? 0;
    if (last < record.revision) return enter(record, 'restoring', Date.now(), { ...saved, backup });
    const failure = `saving: etcd is at revision ${last}, beyond ${record.revision}, to which members restore already`;
    return enter(record, 'failed', Date.now(), { ...saved, failure });
  }
  try {
    const revisions = await revisionToRestoreTo(config, { ...record, ...saved }, backup, fetching, signal);
    return enter(record, 'restoring', Date.now(), { ...saved, ...revisions, backup });
  } catch (error) {
    signal.throwIfAborted();
    // The backup itself is at fault; whatever else goes wrong is tried again.
    if (!(error instanceof UnusableBackupError)) throw error;
    return enter(record, 'failed', Date.now(), { ...saved, failure: `saving: ${error.message}` });
  }
}

/** From the etcd here, or from another member's: the one that leads the restore may be the one that is broken. */
async function takeFromAny(
  record: RestoreRecord,
  request: BackupRequest,
  config: EtcdClusterConfig,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<StoredBackup> {
  const others = record.members.filter((member) => member !== request.member);
  const addresses = [env.address, ...others.map((member) => memberHost(config, member))];
  const failures: string[] = [];
  for (const address of addresses) {
    try {
      return await takeBackup(config, request, { ...env, address }, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${address}: ${messageOf(error)}`);
    }
  }
  throw new Error(failures.join('; '));
}

/**
 * From here on the restored cluster is the cluster. Its members count as having served: one whose disk is lost before
 * it starts must be replaced like any other. Started empty it would take part, and its data would be missing.
 */
async function switchMarker(
  record: RestoreRecord,
  config: EtcdClusterConfig,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<void> {
  for (const member of record.members) {
    const path = `${config.backupPath}/${startedPath(record.token, member)}`;
    if ((await env.store.read(path, signal)) !== undefined) continue;
    await env.store.write(
      path,
      Buffer.from(`${JSON.stringify({ restored: record.id })}\n`),
      { ifAbsent: true },
      signal,
    );
  }
  // The data was made by the wanted version's own tools, whatever served it before.
  const read = await readVersions(env.store, config.backupPath, signal);
  const versions = Object.fromEntries(record.members.map((member) => [member, record.etcdVersion]));
  await writeVersions(env.store, config.backupPath, versions, read, signal);
  const path = `${config.backupPath}/${CREATED}`;
  const there = await env.store.read(path, signal);
  if (there !== undefined && parseMarker(Buffer.from(there.bytes).toString('utf8'))?.token === record.token) return;
  const text = printMarker({ token: record.token, members: record.members }, Date.now());
  const condition = there === undefined ? ({ ifAbsent: true } as const) : { ifVersion: there.version };
  try {
    await env.store.write(path, Buffer.from(text), condition, signal);
  } catch (error) {
    // Looked at again at once: either another machine did the same, or the next try does.
    if (!(error instanceof ConflictError)) throw error;
  }
}

async function clean(
  record: RestoreRecord,
  config: EtcdClusterConfig,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<void> {
  const restored = await findBackup(env.store, config.backupPath, record.backup ?? '', signal);
  const isEtcd2 = restored !== undefined && holdsEtcd2(restored.meta);
  for (const prefix of [...STALE_PREFIXES, ...(isEtcd2 ? STALE_OF_ETCD2 : [])]) {
    const deleted = await askEtcd(env.address, config, (etcd) => etcd.deleteBelow(prefix, signal));
    if (deleted > 0) env.log.info(`removed ${deleted} keys below ${prefix}: their time to live did not come with them`);
  }
}

/** One generation is kept, out of the way; what an earlier restore left there goes. */
async function setOldDataAside(config: EtcdClusterConfig, token: string): Promise<void> {
  const { data } = volumeLayout(config.mountPoint);
  const trash = join(config.mountPoint, 'data-trashcan');
  await rm(trash, { recursive: true, force: true });
  await mkdir(trash, { recursive: true, mode: 0o700 });
  for (const old of await readdir(data)) if (old !== token) await rename(join(data, old), join(trash, old));
}
