import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { memberHost } from '../etcd/settings.ts';
import { CREATED, parseMarker } from '../store/layout.ts';
import type { ObservedRestore } from './restore-step.ts';
import type { RestoreEnv } from './restore-env.ts';
import { askForApiServers } from './running-api-servers.ts';

/** Observes everything that `planRestore` needs. */
export async function observeRestore(
  config: EtcdClusterConfig,
  record: RestoreRecord,
  volume: MemberFile,
  own: Pick<ObservedRestore, 'phaseForMs' | 'endingForMs' | 'isPreparing' | 'isFetched'> & {
    readonly kept: string | undefined;
    readonly failure: string | undefined;
  },
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<ObservedRestore> {
  // Before the folders: an etcd that starts meanwhile, with the restored cluster, must not count as one without its folder.
  const etcdRuns = await env.machine.isRunning();
  const [apiServer, hasData, tokens, markerToken, spareBytes] = await Promise.all([
    env.apiServer.observe(config.name),
    env.machine.hasDatabase(record.token),
    env.machine.tokens(),
    readMarkerToken(config, env, signal),
    env.machine.spareBytes(),
  ]);
  const isLeader = env.isLeader();
  const etcd = etcdRuns ? await askLocal(config, env, signal) : undefined;
  const isUnserved = record.phase === 'gathering' && isLeader && etcd?.hasLeader !== true;
  const othersServe = isUnserved && (await doOthersServe(config, volume, env, signal));
  const isStopping = record.phase === 'stopping' && isLeader && apiServer.hasEnded;
  const runningApiServers = isStopping ? await askForApiServers(config, volume.members, env, signal) : [];
  const nowMs = env.clock.wallMs();
  // The files of a stopped etcd tell its last revision. A log of etcd 2 takes a while to read, so it is read once, for the
  // record: no process writes to it.
  const isOver = !etcdRuns && (record.phase === 'gathering' || record.phase === 'restoring');
  const isEtcd2Due = record.phase === 'gathering' && !record.acknowledged.includes(volume.member);
  const left = { restored: record.token, marker: markerToken };
  const stopped = isOver
    ? ((await env.machine.stoppedData(left, nowMs)) ??
      (isEtcd2Due ? await env.machine.etcd2Data(left, volume.member, nowMs, signal) : undefined))
    : undefined;
  return {
    record,
    member: volume.member,
    wanted: volume.members,
    isLeader,
    nowMs,
    phaseForMs: own.phaseForMs,
    endingForMs: own.endingForMs,
    apiServerHold: apiServer.hold,
    apiServerEnded: apiServer.hasEnded,
    etcdRuns,
    runningApiServers,
    ...(etcd && { etcd }),
    othersServe,
    hasData,
    isPreparing: own.isPreparing,
    isFetched: own.isFetched,
    // Twice the database: the fetched snapshot, and the data restored from it.
    hasRoom: spareBytes > 2 * (record.databaseBytes ?? Number.POSITIVE_INFINITY),
    hasFolder: tokens.includes(record.token),
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

/** The leader itself may not be a member, or may be the one that is not healthy. */
async function doOthersServe(
  config: EtcdClusterConfig,
  { member, members }: MemberFile,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<boolean> {
  const others = [...new Set([...members, ...config.members])].filter((name) => name !== member);
  const statuses = await Promise.all(
    others.map((name) => env.etcds.askIfThere(memberHost(config, name), config, (etcd) => etcd.status(signal), signal)),
  );
  return statuses.some((status) => status?.leaderId !== undefined);
}

async function askLocal(config: EtcdClusterConfig, env: RestoreEnv, signal: AbortSignal) {
  const status = await env.etcds.askIfThere(env.address, config, (etcd) => etcd.status(signal), signal);
  if (status === undefined) return undefined;
  const { revision, leaderId, memberId } = status;
  return { revision, hasLeader: leaderId !== undefined, leads: leaderId !== undefined && leaderId === memberId };
}
