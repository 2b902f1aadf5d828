import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { askIfThere } from '../etcd/ask-etcd.ts';
import { volumeLayout } from '../etcd/settings.ts';
import { databaseBytesOn, spareBytesOf } from '../backup/volume-room.ts';
import { CREATED, parseMarker } from '../store/layout.ts';
import type { ObservedRestore } from './plan-restore.ts';
import { dataFolder } from './restore-member.ts';
import type { RestoreEnv } from './restore-env.ts';

/** Looks at everything that `planRestore` decides on. */
export async function observeRestore(
  config: EtcdClusterConfig,
  record: RestoreRecord,
  volume: MemberFile,
  own: Pick<ObservedRestore, 'phaseForMs' | 'isPreparing'> & { readonly failure: string | undefined },
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<ObservedRestore> {
  const [apiServer, etcdRuns, hasData, tokens, markerToken, isLeader, spareBytes, databaseBytes] = await Promise.all([
    env.apiServer.observe(config.name),
    env.etcd.isRunning(),
    isThere(join(dataFolder(config, record.token), 'member', 'snap', 'db')),
    namesIn(volumeLayout(config.mountPoint).data),
    readMarkerToken(config, env, signal),
    env.isLeader(),
    spareBytesOf(config.mountPoint),
    databaseBytesOn(config),
  ]);
  const etcd = etcdRuns ? await askLocal(config, env, signal) : undefined;
  return {
    record,
    member: volume.member,
    wanted: volume.members,
    isLeader,
    nowMs: Date.now(),
    phaseForMs: own.phaseForMs,
    isHeld: apiServer.isHeld,
    apiServerEnded: apiServer.hasEnded,
    etcdRuns,
    ...(etcd && { etcd }),
    hasData,
    isPreparing: own.isPreparing,
    // The backup of what is there, the snapshot that is fetched, and what is restored from it.
    hasRoom: spareBytes > databaseBytes + 2 * (record.databaseBytes ?? Number.POSITIVE_INFINITY),
    hasOldData: tokens.some((token) => token !== record.token),
    ...(markerToken !== undefined && { markerToken }),
    ...(own.failure !== undefined && { failure: own.failure }),
  };
}

async function readMarkerToken(
  config: EtcdClusterConfig,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const stored = await env.store.read(`${config.backupPath}/${CREATED}`, signal);
  return stored && parseMarker(Buffer.from(stored.bytes).toString('utf8'))?.token;
}

async function askLocal(config: EtcdClusterConfig, env: RestoreEnv, signal: AbortSignal) {
  const status = await askIfThere(env.address, config, (etcd) => etcd.status(signal), signal);
  return status && { revision: status.revision, hasLeader: status.leaderId !== undefined };
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
