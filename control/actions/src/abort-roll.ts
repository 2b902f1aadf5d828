import type { ActionContext } from './phases/action.ts';
import { askRoller, endOperation, rollStatus } from './control-rolling-update.ts';
import { rollCluster, type RollingCluster, type RollManner } from './roll-cluster.ts';
import { isUnfinished } from './rolling/start-roll.ts';
import { reachedBy } from './upgrade/operation.ts';

export interface AbortRequest {
  readonly cluster?: string | undefined;
  readonly manner: RollManner;
}

export type AbortedRoll =
  /** A process works on it, and was asked to put back what it can. */
  | { readonly kind: 'asked'; readonly cluster: string; readonly owner: string }
  | {
      readonly kind: 'ended';
      readonly cluster: string;
      /** The version of Kubernetes at which an upgrade was ended. */
      readonly staysAt?: string;
      /** How what was left was put back; absent if nothing was left. */
      readonly rolling?: RollingCluster;
    };

/** Asks the process that rolls to end it; if there is none, puts back what the last one left. */
export async function abortRoll(context: ActionContext, request: AbortRequest): Promise<AbortedRoll> {
  const { cluster, roller, upgrader, roll } = await rollStatus(context, request);
  if (roller !== undefined || upgrader !== undefined) {
    const asked = await askRoller(context, 'abort', { cluster });
    return { kind: 'asked', cluster, owner: (asked.upgrader ?? asked.roller)?.owner ?? '' };
  }
  const operation = await endOperation(context, { cluster });
  const left = isUnfinished(roll)
    ? await rollCluster(context, { ...request.manner, cluster, yes: true, abandons: true })
    : undefined;
  return {
    kind: 'ended',
    cluster,
    ...(operation?.state === 'aborted' && { staysAt: reachedBy(operation) }),
    ...(left !== undefined && { rolling: left }),
  };
}
