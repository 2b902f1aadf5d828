import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { publishStatus, type MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Bell } from './bell/bell.ts';
import { quotaBytes } from './care/reconcile-care.ts';
import { alarmsOf } from './etcd/alarms.ts';
import { askIfThere } from './etcd/ask-etcd.ts';
import type { Leadership } from './lease/leadership.ts';
import { STATUS_MS } from './membership/observe-membership.ts';
import type { MembershipMemory } from './membership/reconcile-membership.ts';
import type { OwnMember, OwnState } from './own-member.ts';
import { binariesOf } from './versions/reconcile-versions.ts';

export interface StatusEnv {
  readonly address: string;
  readonly store: StateStore;
  readonly own: OwnMember;
  readonly leadership: Leadership;
  readonly bell: Bell;
  /** What this machine knows about the members while it leads. */
  readonly memory: Pick<MembershipMemory, 'advice'>;
  readonly log: Log;
  /** Called with every published status. */
  readonly onStatus?: (status: MemberStatus) => void;
}

/** Writes the status of this machine's member to the store: at once when it changes, otherwise twice a minute. */
export async function publishStatuses(config: EtcdClusterConfig, env: StatusEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.own.ringOnChange(wake);
  env.leadership.ringOnChange(wake);
  let isNews = true;
  while (!signal.aborted) {
    const { state } = env.own;
    if (state !== undefined) {
      const status = await describe(config, state, env, signal);
      await publishStatus(env.store, config.backupPath, status, signal);
      env.onStatus?.(status);
      if (isNews) env.bell.tell();
    }
    isNews = await wake.wait(STATUS_MS, signal);
  }
}

async function describe(
  config: EtcdClusterConfig,
  state: OwnState,
  env: StatusEnv,
  signal: AbortSignal,
): Promise<MemberStatus> {
  const [etcd, diskFault] = await Promise.all([describeEtcd(config, env.address, signal), tryDisk(config.mountPoint)]);
  const problem = diskFault ?? state.problem;
  return {
    member: state.member,
    address: env.address,
    updatedAt: new Date().toISOString(),
    decision: state.decision,
    isLeader: env.leadership.isHeld,
    epoch: env.leadership.epoch,
    wantedVersion: config.etcdVersion,
    hasData: state.hasData,
    hasServed: state.hasServed,
    ...(state.holdsEtcd2 && { holdsEtcd2: true }),
    available: binariesOf(config).map(({ version }) => version),
    ...(state.dataVersion !== undefined && { dataVersion: state.dataVersion }),
    ...(problem !== undefined && { problem }),
    ...(env.memory.advice && { advice: env.memory.advice }),
    ...etcd,
  };
}

async function describeEtcd(
  config: EtcdClusterConfig,
  address: string,
  signal: AbortSignal,
): Promise<Pick<MemberStatus, 'etcd' | 'members'>> {
  const answer = await askIfThere(
    address,
    config,
    async (etcd) => ({
      status: await etcd.status(signal),
      alarms: await etcd.alarms(signal),
      members: await etcd.members(signal),
    }),
    signal,
  );
  // A status without these fields says that etcd does not answer.
  if (answer === undefined) return {};
  const { status, alarms, members } = answer;
  const own = alarmsOf(alarms, status.memberId).map(({ alarm }) => alarm);
  return {
    etcd: { ...status, quotaBytes: quotaBytes(config), alarms: [...new Set(own)] },
    members: members.map(({ id, name, isLearner }) => ({ id, name, isLearner })),
  };
}

/** Why the volume takes no writes; undefined if it does. A file system turns read-only when its disk fails. */
async function tryDisk(mountPoint: string): Promise<string | undefined> {
  try {
    await access(mountPoint);
    await writeFile(join(mountPoint, '.writable'), `${Date.now()}\n`, { mode: 0o600 });
    return undefined;
  } catch (error) {
    return `its disk takes no writes (${codeOf(error) ?? String(error)})`;
  }
}
