import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { changeWish, readJournal } from './rolling/journal.ts';
import type { Roll } from './rolling/roll.ts';
import { findRoller } from './rolling/roll-lock.ts';

export interface RollStatus {
  readonly cluster: string;
  /** The latest rolling update; undefined where there was none. */
  readonly roll?: Roll;
  /** Who rolls now. */
  readonly roller?: LockRecord;
}

/** How far a rolling update is, and who rolls. */
export async function rollStatus(
  context: ActionContext,
  request: { readonly cluster?: string | undefined },
): Promise<RollStatus> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const [{ roll }, roller] = await Promise.all([
    readJournal(store, cluster, context.signal),
    findRoller(store, cluster, Date.now()),
  ]);
  return { cluster, ...(roll !== undefined && { roll }), ...(roller !== undefined && { roller }) };
}

/** Asks whoever rolls to begin with no further machine, or to put back what can be put back. */
export async function askRoller(
  context: ActionContext,
  wish: 'pause' | 'abort',
  request: { readonly cluster?: string | undefined },
): Promise<RollStatus> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const roller = await findRoller(store, cluster, Date.now());
  if (roller === undefined) {
    throw new ActionableError({
      what: `${wish} the rolling update of ${cluster}`,
      why: 'nobody rolls it now',
      next: `see how it was left with \`kopsctl rolling-update status ${cluster}\``,
    });
  }
  const roll = await changeWish(
    store,
    cluster,
    (found) => (found.state === 'rolling' ? { ...found, wish } : found),
    context.signal,
  );
  return { cluster, roller, ...(roll !== undefined && { roll }) };
}
