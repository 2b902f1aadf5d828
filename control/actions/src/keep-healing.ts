import { setTimeout as sleep } from 'node:timers/promises';
import { healCluster, type HealedCluster, type HealRequest } from './heal-cluster.ts';
import { hasFailed } from './healing/heal-roll.ts';
import type { ActionContext } from './phases/action.ts';

export interface KeepHealingRequest extends HealRequest {
  /** From the end of one look to the next one. */
  readonly intervalMs: number;
  /** Called with what each look found and did. */
  readonly onLook: (healed: HealedCluster) => void;
  /** Called where a look failed: a cloud or an API server that does not answer now may do so at the next one. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Heals a cluster over and over, until the context ends or a replacement fails, which a person has to look at.
 *
 * @returns what the last look found; undefined where that one failed
 */
export async function keepHealing(
  context: ActionContext,
  { intervalMs, onLook, onFailure, ...request }: KeepHealingRequest,
): Promise<HealedCluster | undefined> {
  const { signal } = context;
  // Chosen once: the context of kubectl may change while this watches.
  let { cluster } = request;
  for (;;) {
    const healed = await healCluster(context, { ...request, cluster }).catch((error: unknown): undefined => {
      if (!signal.aborted) onFailure(error);
    });
    cluster ??= healed?.cluster;
    if (healed !== undefined) onLook(healed);
    if (signal.aborted || (healed?.roll !== undefined && hasFailed(healed.roll))) return healed;
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
