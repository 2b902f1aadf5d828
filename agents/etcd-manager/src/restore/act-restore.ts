import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { holdsEtcd2 } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { findBackup } from '@kopsctl/state-store/etcd/list-backups.ts';
import {
  readRestore,
  writeRestore,
  type RestoreRecord,
  type StoredRecord,
} from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { memberHost } from '../etcd/settings.ts';
import { CREATED, printMarker, startedPath } from '../store/layout.ts';
import { readVersions, writeVersions } from '../versions/version-record.ts';
import { printRestored } from './carried-out.ts';
import { MASTER_LEASES } from './running-api-servers.ts';
import { revisionKnownByNow } from './known-revision.ts';
import type { RestoreEnv } from './restore-env.ts';
import { enter, type RestoreStep } from './restore-step.ts';
import { saveData } from './save-data.ts';

/**
 * Each API server registers here, with a lease of 15 s that it renews (kube-apiserver's `lease` endpoint reconciler). A
 * restore brings registrations back, and without their leases if kops restores: then the `kubernetes` service would point
 * at API servers that are gone.
 */
const STALE_PREFIXES = [MASTER_LEASES];
/** Events expire after an hour. Data of etcd 2 is converted without leases, so its events would never expire. */
const STALE_OF_ETCD2 = ['/registry/events/'];

/** Longer than etcd takes to stop, and shorter than the time that waiting saves. */
const OTHERS_STOP_MS = 3_000;
const OTHERS_POLL_MS = 50;

/** Carries out one step and decides nothing. Every step can be repeated after a crash in the middle of it. */
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
      return env.machine.stop();
    case 'save':
      return write(await saveData(record, config, volume, env, signal));
    case 'begin':
      return write({ ...step.record, ...(await revisionKnownByNow(config, step.record, env, signal)) });
    case 'restore':
    case 'keep':
      throw new Error(`the step ${step.action} runs in the background`);
    case 'switch-marker':
      return switchMarker(stored, config, env, signal);
    case 'clean': {
      await clean(record, config, env, signal);
      return write(enter(record, 'finishing', env.clock.wallMs()));
    }
    case 'release-api-server':
      return env.apiServer.release(config.name);
    case 'discard-data':
      return env.machine.discard(record.token);
    case 'set-old-data-aside':
      return env.machine.setAside((await env.machine.tokens()).filter((token) => token !== record.token));
  }
}

/**
 * Waits until the other members have stopped, if the local etcd leads. A leader hands over before it stops. If all members
 * stop at once, none takes over, and the leader waits for seven seconds (etcd 3.4 etcdserver/server.go, TransferLeadership:
 * ReqTimeout). With no member connected it stops at once.
 */
async function letOthersStopFirst(
  { members }: RestoreRecord,
  config: EtcdClusterConfig,
  { member }: MemberFile,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<void> {
  const status = (host: string) => env.etcds.askIfThere(host, config, (etcd) => etcd.status(signal), signal);
  const own = await status(env.address);
  if (own?.leaderId === undefined || own.leaderId !== own.memberId) return;
  const giveUpAtMs = env.clock.nowMs() + OTHERS_STOP_MS;
  for (const other of members.filter((one) => one !== member)) {
    while (env.clock.nowMs() < giveUpAtMs && (await status(memberHost(config, other))) !== undefined) {
      await env.clock.sleep(OTHERS_POLL_MS, signal);
    }
  }
}

/**
 * Makes the marker name the restored cluster. Its members are recorded as having served, so that a member whose disk is lost
 * before it starts is replaced: it must not start empty, because it counts as a holder of the data.
 *
 * The record cannot leave the phase before the marker has changed. So if the record is unchanged after the marker was read,
 * either the marker is still to be written, or another machine has written it and this conditional write fails, however late
 * it is.
 *
 * @throws ConflictError if another machine was faster
 */
async function switchMarker(
  stored: StoredRecord,
  config: EtcdClusterConfig,
  env: Pick<RestoreEnv, 'store' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { record } = stored;
  const { store } = env;
  for (const member of record.members) {
    const path = `${config.backupPath}/${startedPath(record.token, member)}`;
    if ((await store.read(path, signal)) !== undefined) continue;
    await store.write(path, Buffer.from(printRestored(record.id)), { ifAbsent: true }, signal);
  }
  const path = `${config.backupPath}/${CREATED}`;
  const there = await store.read(path, signal);
  // The tools of the wanted version have written the data, whichever version served it before.
  const read = await readVersions(store, config.backupPath, signal);
  const now = await readRestore(store, config.backupPath, signal);
  if (now?.version !== stored.version) {
    throw new ConflictError(store.url, path, `the restore ${record.id} has gone on without this machine`);
  }
  const versions = Object.fromEntries(record.members.map((member) => [member, record.etcdVersion]));
  await writeVersions(store, config.backupPath, versions, read, signal);
  const text = printMarker({ token: record.token, members: record.members }, env.clock.wallMs());
  const condition = ifUnchanged(there?.version);
  await store.write(path, Buffer.from(text), condition, signal);
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
    // Whatever was written since the restore is kept, however late this machine comes.
    const upTo = record.revision ?? 0;
    const deleted = await env.etcds.ask(env.address, config, (etcd) => etcd.deleteUnchangedBelow(prefix, upTo, signal));
    if (deleted > 0) env.log.info('removed keys whose lease was not restored', { prefix, count: deleted });
  }
}
