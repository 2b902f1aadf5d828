import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { publishStatus, type MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Bell } from './bell/bell.ts';
import { quotaBytes } from './care/reconcile-care.ts';
import { alarmsOf } from './etcd/alarms.ts';
import type { Clock } from './clock.ts';
import type { Etcds } from './etcd/etcds.ts';
import type { Leadership } from './lease/leadership.ts';
import { STATUS_MS } from './membership/observe-membership.ts';
import type { MembershipMemory } from './membership/reconcile-membership.ts';
import type { OwnMachine } from './own-machine.ts';
import type { OwnMember, OwnState } from './own-member.ts';
import { binariesOf } from './versions/reconcile-versions.ts';

/** What one status needs. */
interface OneStatusEnv {
  readonly address: string;
  readonly store: StateStore;
  readonly etcds: Etcds;
  readonly clock: Clock;
  readonly machine: Pick<OwnMachine, 'diskFault'>;
  readonly own: Pick<OwnMember, 'state'>;
  readonly leadership: Pick<Leadership, 'isHeld' | 'epoch'>;
  /** What this machine knows about the members while it leads. */
  readonly memory: Pick<MembershipMemory, 'advice'>;
  /** Called with every status, and with undefined while the volume is not there. */
  readonly onStatus?: (status: MemberStatus | undefined) => void;
  /** Called once the store has accepted the status. */
  readonly onPublished?: () => void;
}

export interface StatusEnv extends OneStatusEnv {
  readonly own: OwnMember;
  readonly leadership: Leadership;
  readonly bell: Bell;
}

/** Writes the status of this machine's member to the store: at once when it changes, otherwise twice a minute. */
export async function publishStatuses(config: EtcdClusterConfig, env: StatusEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.own.ringOnChange(wake);
  env.leadership.ringOnChange(wake);
  let isNews = true;
  while (!signal.aborted) {
    if ((await publishOwnStatus(config, env, signal)) && isNews) env.bell.tell();
    isNews = await wake.wait(STATUS_MS, signal);
  }
}

/** Writes the status once. Resolves with whether there is one. */
export async function publishOwnStatus(
  config: EtcdClusterConfig,
  env: OneStatusEnv,
  signal: AbortSignal,
): Promise<boolean> {
  const { state } = env.own;
  const status = state && (await describe(config, state, env, signal));
  env.onStatus?.(status);
  if (status === undefined) return false;
  await publishStatus(env.store, config.backupPath, status, signal);
  env.onPublished?.();
  return true;
}

async function describe(
  config: EtcdClusterConfig,
  state: OwnState,
  env: OneStatusEnv,
  signal: AbortSignal,
): Promise<MemberStatus> {
  const [etcd, diskFault] = await Promise.all([describeEtcd(config, env, signal), env.machine.diskFault()]);
  const problem = diskFault ?? state.problem;
  return {
    member: state.member,
    address: env.address,
    updatedAt: new Date(env.clock.wallMs()).toISOString(),
    decision: state.decision,
    isLeader: env.leadership.isHeld,
    epoch: env.leadership.epoch,
    wantedVersion: config.etcdVersion,
    hasData: state.hasData,
    hasServed: state.hasServed,
    ...(state.holdsEtcd2 && { holdsEtcd2: true }),
    available: binariesOf(config).map(({ version }) => version),
    ...(state.dataVersion !== undefined && { dataVersion: state.dataVersion }),
    ...(state.etcdStart !== undefined && { etcdStart: state.etcdStart }),
    ...(problem !== undefined && { problem }),
    ...(env.memory.advice && { advice: env.memory.advice }),
    ...etcd,
  };
}

async function describeEtcd(
  config: EtcdClusterConfig,
  { address, etcds }: Pick<OneStatusEnv, 'address' | 'etcds'>,
  signal: AbortSignal,
): Promise<Pick<MemberStatus, 'etcd' | 'members'>> {
  const answer = await etcds.askIfThere(
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
