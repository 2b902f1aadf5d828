import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { askIfThere } from '../etcd/ask-etcd.ts';
import { spareBytesOf } from '../backup/volume-room.ts';
import { CREATED, parseMarker } from '../store/layout.ts';
import { hasDatabase, tokensOn } from './data-folders.ts';
import type { ObservedRestore } from './restore-step.ts';
import type { RestoreEnv } from './restore-env.ts';
import { askForApiServers } from './running-api-servers.ts';
import { lookAtStoppedData } from './stopped-data.ts';
import { lookAtEtcd2 } from '../takeover/etcd2-data.ts';

/** Observes everything that `planRestore` needs. */
export async function observeRestore(
  config: EtcdClusterConfig,
  record: RestoreRecord,
  volume: MemberFile,
  own: Pick<ObservedRestore, 'phaseForMs' | 'isPreparing' | 'isFetched'> & {
    readonly kept: string | undefined;
    readonly failure: string | undefined;
  },
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<ObservedRestore> {
  const [apiServer, etcdRuns, hasData, tokens, markerToken, spareBytes] = await Promise.all([
    env.apiServer.observe(config.name),
    env.etcd.isRunning(),
    hasDatabase(config, record.token),
    tokensOn(config),
    readMarkerToken(config, env, signal),
    spareBytesOf(config.mountPoint),
  ]);
  const isLeader = env.isLeader();
  const etcd = etcdRuns ? await askLocal(config, env, signal) : undefined;
  const isStopping = record.phase === 'stopping' && isLeader && apiServer.hasEnded;
  const runningApiServers = isStopping ? await askForApiServers(config, volume.members, env, signal) : [];
  const nowMs = Date.now();
  // The files of a stopped etcd tell its last revision. A log of etcd 2 takes a while to read, so it is read once, for the
  // record: no process writes to it.
  const isOver = !etcdRuns && (record.phase === 'gathering' || record.phase === 'restoring');
  const isEtcd2Due = record.phase === 'gathering' && !record.acknowledged.includes(volume.member);
  const left = { restored: record.token, marker: markerToken };
  const stopped = isOver
    ? ((await lookAtStoppedData(config, left, nowMs)) ??
      (isEtcd2Due ? await lookAtEtcd2(config, left, volume.member, nowMs, env, signal) : undefined))
    : undefined;
  return {
    record,
    member: volume.member,
    wanted: volume.members,
    isLeader,
    nowMs,
    phaseForMs: own.phaseForMs,
    apiServerHold: apiServer.hold,
    apiServerEnded: apiServer.hasEnded,
    etcdRuns,
    runningApiServers,
    ...(etcd && { etcd }),
    hasData,
    isPreparing: own.isPreparing,
    isFetched: own.isFetched,
    // Twice the database: the fetched snapshot, and the data restored from it.
    hasRoom: spareBytes > 2 * (record.databaseBytes ?? Number.POSITIVE_INFINITY),
    hasOldData: tokens.some((token) => token !== record.token),
    ...(markerToken !== undefined && { markerToken }),
    ...(stopped && { stopped }),
    ...(own.kept !== undefined && { kept: own.kept }),
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
  if (status === undefined) return undefined;
  const { revision, leaderId, memberId } = status;
  return { revision, hasLeader: leaderId !== undefined, leads: leaderId !== undefined && leaderId === memberId };
}
