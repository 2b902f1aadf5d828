import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { changeRollWish, readRoll } from './rolling/journal.ts';
import type { Roll } from './rolling/roll.ts';
import { findRoller } from './rolling/roll-lock.ts';
import { isLeft, type Operation } from './upgrade/operation.ts';
import { changeOperation, readOperation } from './upgrade/operation-journal.ts';
import { findUpgrader } from './upgrade/operation-lock.ts';

export interface RollStatus {
  readonly cluster: string;
  /** The latest rolling update; undefined where there was none. */
  readonly roll?: Roll;
  /** The process that rolls now. */
  readonly roller?: LockRecord;
  /** The latest upgrade or reconciliation. */
  readonly operation?: Operation;
  /** The process that upgrades or reconciles now. */
  readonly upgrader?: LockRecord;
}

/** How far a rolling update is, and the upgrade that it belongs to, and who works. */
export async function rollStatus(
  context: ActionContext,
  request: { readonly cluster?: string | undefined },
): Promise<RollStatus> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const nowMs = Date.now();
  const [roll, roller, operation, upgrader] = await Promise.all([
    readRoll(store, cluster, context.signal),
    findRoller(store, cluster, nowMs),
    readOperation(store, cluster, context.signal),
    findUpgrader(store, cluster, nowMs),
  ]);
  return {
    cluster,
    ...(roll !== undefined && { roll }),
    ...(roller !== undefined && { roller }),
    ...(operation !== undefined && { operation }),
    ...(upgrader !== undefined && { upgrader }),
  };
}

/** Asks the process that rolls or upgrades to begin nothing further, or to put back what can be put back. */
export async function askRoller(
  context: ActionContext,
  wish: 'pause' | 'abort',
  request: { readonly cluster?: string | undefined },
): Promise<RollStatus> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const nowMs = Date.now();
  const [roller, upgrader] = await Promise.all([
    findRoller(store, cluster, nowMs),
    findUpgrader(store, cluster, nowMs),
  ]);
  if (roller === undefined && upgrader === undefined) {
    throw new ActionableError({
      what: `${wish} the rolling update of ${cluster}`,
      why: 'no rolling update is running',
      next: `see how it was left with \`kopsctl rolling-update status ${cluster}\``,
    });
  }
  const { signal } = context;
  // First the upgrade as a whole, so that no stage begins once the rolling update has ended.
  if (upgrader !== undefined) {
    await changeOperation(store, cluster, (one) => (one.state === 'running' ? { ...one, wish } : one), signal);
  }
  if (roller !== undefined) {
    await changeRollWish(store, cluster, (one) => (one.state === 'rolling' ? { ...one, wish } : one), signal);
  }
  return rollStatus(context, request);
}

/** Notes that an upgrade that nobody works on is not to be continued: the cluster stays where it is. */
export async function endOperation(
  context: ActionContext,
  request: { readonly cluster?: string | undefined },
): Promise<Operation | undefined> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const ended = (one: Operation): Operation =>
    isLeft(one) ? { ...one, state: 'aborted', endedMs: Date.now(), why: 'a person ended it' } : one;
  return changeOperation(store, cluster, ended, context.signal);
}
