import { pause } from '@kopsctl/agent/pause.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { changeRollWish, readRoll } from './rolling/journal.ts';
import type { Roll } from './rolling/roll.ts';
import { findRoller } from './rolling/roll-lock.ts';
import type { Wish } from './store/journal.ts';
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

/**
 * A process that has its lock looks at the cluster before it writes into its journal, where it is asked. A reconciliation asks
 * the cloud and the API meanwhile.
 */
const BEGINS_WITHIN_MS = 15_000;
const ASK_AGAIN_MS = 500;

/**
 * Asks the process that rolls or upgrades to begin nothing further, or to put back what can be put back.
 *
 * @throws ActionableError where there is none, or where it does not begin in this time
 */
export async function askRoller(
  context: ActionContext,
  wish: Wish,
  request: { readonly cluster?: string | undefined },
  beginsWithinMs = BEGINS_WITHIN_MS,
): Promise<RollStatus> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const { signal } = context;
  const what = `${wish} the rolling update of ${cluster}`;
  const endMs = Date.now() + beginsWithinMs;
  for (;;) {
    const nowMs = Date.now();
    const [roller, upgrader] = await Promise.all([
      findRoller(store, cluster, nowMs),
      findUpgrader(store, cluster, nowMs),
    ]);
    if (roller === undefined && upgrader === undefined) {
      throw new ActionableError({
        what,
        why: 'no rolling update is running',
        next: `see how it was left with \`kopsctl rolling-update status ${cluster}\``,
      });
    }
    // First the upgrade as a whole, so that no stage begins once the rolling update has ended.
    const isUpgraderAsked = upgrader === undefined || (await askOperation(store, cluster, wish, signal));
    const isRollerAsked = roller === undefined || (await askRoll(store, cluster, wish, signal));
    if (isUpgraderAsked && isRollerAsked) return rollStatus(context, request);
    if (nowMs >= endMs) {
      throw new ActionableError({
        what,
        why: `it has not begun yet: ${(upgrader ?? roller)?.owner ?? 'somebody'} is still preparing it, and accepts no requests before it begins`,
        next: 'repeat the command',
      });
    }
    await pause(ASK_AGAIN_MS, signal);
  }
}

/** Whether the upgrade that goes on has been asked; the journal may still be that of the one before. */
async function askOperation(store: StateStore, cluster: string, wish: Wish, signal: AbortSignal): Promise<boolean> {
  const ask = (one: Operation): Operation => (one.state !== 'running' || one.wish === wish ? one : { ...one, wish });
  return (await changeOperation(store, cluster, ask, signal))?.state === 'running';
}

/** The same for a rolling update. */
async function askRoll(store: StateStore, cluster: string, wish: Wish, signal: AbortSignal): Promise<boolean> {
  const ask = (one: Roll): Roll => (one.state !== 'rolling' || one.wish === wish ? one : { ...one, wish });
  return (await changeRollWish(store, cluster, ask, signal))?.state === 'rolling';
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
