import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { etcdQuotaBytes, QUOTA_SETTING } from '@kopsctl/node-plan/etcd-quota.ts';
import { decisionLog } from '../decision-log.ts';
import { askEtcd, askIfThere } from '../etcd/ask-etcd.ts';
import { memberHost } from '../etcd/settings.ts';
import type { Leadership } from '../lease/leadership.ts';
import { memberOf } from '../membership/member-of.ts';
import type { EtcdGate } from '../restore/restore-step.ts';
import { planCare, type CareStep, type ObservedCare } from './plan-care.ts';
import { managerVariable } from '../manager-variable.ts';

/** Databases grow over hours, but an alarm stops every write and must not wait for long. */
const LOOK_MS = 30_000;
/** The pause between two steps, in which a member that was defragmented catches up. */
const STEP_MS = 2_000;

export interface CareEnv {
  readonly address: string;
  readonly leadership: Leadership;
  readonly gate: { readonly etcd: EtcdGate };
  readonly log: Log;
}

/** What was done because of the current alarm. */
interface Progress {
  compacted?: { readonly revision: number; readonly atMs: number };
  readonly defragmentedMs: Map<string, number>;
}

const noProgress = (): Progress => ({ defragmentedMs: new Map() });

/** While this machine leads, keeps the databases of one etcd cluster small and lifts their alarms, until `signal` aborts. */
export async function reconcileCare(config: EtcdClusterConfig, env: CareEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  let progress = noProgress();
  const logDecision = decisionLog(env.log, 'silent');
  while (!signal.aborted) {
    const { term } = env.leadership;
    let waitMs = LOOK_MS;
    if (term !== undefined && env.gate.etcd === 'free') {
      const both = AbortSignal.any([signal, term.signal]);
      const observed = await observeCare(config, progress, env, both);
      if (observed !== undefined) {
        if (observed.alarms.length === 0) progress = noProgress();
        const step = planCare(observed);
        logDecision(step, 'member' in step ? { member: step.member } : {});
        await act(step, config, progress, env, both);
        if (step.action !== 'nothing' && step.action !== 'wait') waitMs = STEP_MS;
      }
    }
    await wake.wait(waitMs, signal);
  }
}

/**
 * Defragments every member at once, one after the other and the leader last, because a person asked for it. Resolves with
 * a sentence that says what was done.
 *
 * @throws when not all members answer
 */
export async function defragmentAll(
  config: EtcdClusterConfig,
  env: Pick<CareEnv, 'address'>,
  signal: AbortSignal,
): Promise<string> {
  const before = await observeCare(config, noProgress(), env, signal);
  if (before === undefined) throw new Error('the local etcd does not answer');
  if (!before.isComplete)
    throw new Error('not all members answer, and a member does not answer while it is defragmented');
  const leaderLast = before.databases.toSorted((left, right) => Number(left.isLeader) - Number(right.isLeader));
  for (const { member } of leaderLast) {
    await askEtcd(memberHost(config, member), config, (etcd) => etcd.defragment(signal));
  }
  const after = await observeCare(config, noProgress(), env, signal);
  const mib = (of: ObservedCare | undefined, member: string): string => {
    const bytes = of?.databases.find((database) => database.member === member)?.sizeBytes;
    return bytes === undefined ? '?' : `${Math.round(bytes / 1024 ** 2)} MiB`;
  };
  const changes = leaderLast.map(({ member }) => `${member}: ${mib(before, member)} to ${mib(after, member)}`);
  return `defragmented ${changes.join(', ')}`;
}

async function observeCare(
  config: EtcdClusterConfig,
  progress: Progress,
  env: Pick<CareEnv, 'address'>,
  signal: AbortSignal,
): Promise<ObservedCare | undefined> {
  const own = await askIfThere(
    env.address,
    config,
    async (etcd) => {
      const [status, members, alarms] = [
        await etcd.status(signal),
        await etcd.members(signal),
        await etcd.alarms(signal),
      ];
      return { status, members, alarms };
    },
    signal,
  );
  if (own?.status.leaderId === undefined) return undefined;
  const { leaderId, revision } = own.status;
  const answers = await Promise.all(
    own.members.map(async (listed) => {
      const member = memberOf(config, listed);
      const status = await askIfThere(memberHost(config, member), config, (etcd) => etcd.status(signal), signal);
      return status && { listed, member, status };
    }),
  );
  const databases = answers.flatMap((answer) => {
    if (answer === undefined) return [];
    const { id } = answer.listed;
    const { dbSizeBytes, dbInUseBytes } = answer.status;
    const inUse = dbInUseBytes === undefined ? {} : { inUseBytes: dbInUseBytes };
    return [{ id, member: answer.member, isLeader: id === leaderId, sizeBytes: dbSizeBytes, ...inUse }];
  });
  return {
    databases,
    isComplete: databases.length === own.members.length,
    memberIds: own.members.map(({ id }) => id),
    alarms: own.alarms,
    quotaBytes: quotaBytes(config),
    revision,
    nowMs: performance.now(),
    ...progress,
  };
}

async function act(
  step: CareStep,
  config: EtcdClusterConfig,
  progress: Progress,
  env: CareEnv,
  signal: AbortSignal,
): Promise<void> {
  switch (step.action) {
    case 'nothing':
    case 'wait':
      return;
    case 'compact':
      await askEtcd(env.address, config, (etcd) => etcd.compact(step.revision, signal));
      progress.compacted = { revision: step.revision, atMs: performance.now() };
      return;
    case 'defragment':
      await askEtcd(memberHost(config, step.member), config, (etcd) => etcd.defragment(signal));
      progress.defragmentedMs.set(step.member, performance.now());
      return;
    case 'disarm':
      return askEtcd(env.address, config, (etcd) => etcd.disarm(step.alarm, signal));
  }
}

/** The size in bytes at which etcd stops accepting writes: what the spec says, otherwise etcd's default. */
export function quotaBytes(config: Pick<EtcdClusterConfig, 'env'>): number {
  return etcdQuotaBytes(managerVariable(config.env, QUOTA_SETTING));
}
