import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import { readRestore, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { minorNumber } from '@kopsctl/spec/minor-version.ts';
import { decisionLog } from '../decision-log.ts';
import type { LeadingEnv } from '../lease/leading-env.ts';
import { PEER_SILENT_MS, watchStatuses, type WatchedStatus } from '../membership/observe-membership.ts';
import { readMember } from '../read-member.ts';
import { beginRestoreInTerm } from '../restore/accept-restore.ts';
import { UnchangedTime } from '../unchanged-time.ts';
import { planTakeover, type ObservedTakeover } from './plan-takeover.ts';

/** Hardly any cluster has such data. */
const IDLE_MS = 15_000;
/** While waiting for machines, in case one of their rings was lost. */
const WAITING_MS = 2_000;

const REQUEST = {
  id: 'take-over-etcd-2',
  reason: 'converting the etcd 2 data',
  takesOverEtcd2: true,
} as const;

/** What the leader remembers between two looks. */
interface Memory {
  epoch: number;
  statuses?: ReadonlyMap<string, WatchedStatus>;
  /** How long the last restore has stood where it stands. */
  readonly lastTime: UnchangedTime;
}

/** While this machine leads and holds data of etcd 2, begins its conversion to etcd 3: observe, plan, act. */
export async function reconcileTakeover(
  config: EtcdClusterConfig,
  env: LeadingEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  env.own.ringOnChange(wake);
  env.bell.ringOnNews(wake);
  let memory: Memory = { epoch: -1, lastTime: new UnchangedTime() };
  const logDecision = decisionLog(env.log, 'silent');
  while (!signal.aborted) {
    const { term } = env.leadership;
    const { state } = env.own;
    const isDue = term !== undefined && state?.holdsEtcd2 === true && env.gate.etcd === 'free';
    if (isDue) {
      if (memory.epoch !== term.epoch) memory = { epoch: term.epoch, lastTime: memory.lastTime };
      const both = AbortSignal.any([signal, term.signal]);
      const restore = await readRestore(env.store, config.backupPath, both);
      const observed = await observeTakeover(config, state.member, restore, memory, env, both);
      const step = planTakeover(observed);
      logDecision(step);
      if (step.action === 'begin') await beginRestoreInTerm(REQUEST, restore, term, config, env, both);
    }
    await wake.wait(isDue ? WAITING_MS : IDLE_MS, signal);
  }
}

async function observeTakeover(
  config: EtcdClusterConfig,
  member: string,
  restore: StoredRecord | undefined,
  memory: Memory,
  env: LeadingEnv,
  signal: AbortSignal,
): Promise<ObservedTakeover> {
  const [volume, statuses] = await Promise.all([
    readMember(config.mountPoint),
    readStatuses(env.store, config.backupPath, signal),
  ]);
  const nowMs = performance.now();
  const seen = watchStatuses(memory.statuses, statuses, memory.epoch, nowMs);
  memory.statuses = seen;
  const isThere = (name: string): boolean => {
    const { isAlive = false, sinceMs = 0 } = seen.get(name) ?? {};
    return name === member || (isAlive && nowMs - sinceMs <= PEER_SILENT_MS);
  };
  const members = volume?.members ?? [];
  const holders = statuses.filter(
    (one) => one.holdsEtcd2 === true && members.includes(one.member) && isThere(one.member),
  );
  const isPrepared = (available: readonly string[] = []): boolean =>
    available.some((version) => minorNumber(version) === minorNumber(config.etcdVersion));
  const last = restore?.record;
  return {
    etcdCluster: config.name,
    etcdVersion: config.etcdVersion,
    members,
    holders: holders.map((one) => one.member),
    unprepared: holders.filter((one) => !isPrepared(one.available)).map((one) => one.member),
    ...(last && { last }),
    lastForMs: memory.lastTime.measure(`${last?.token ?? ''} ${last?.phase ?? ''}`, nowMs),
  };
}
