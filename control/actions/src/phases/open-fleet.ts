import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Fleet } from '@kopsctl/model/fleet.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { driverOf } from '../cloud/cloud-layer.ts';
import { type ActionContext, note } from './action.ts';
import type { Convergence } from './converge.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

export interface OpenedFleet {
  readonly fleet: Fleet;
  /** What an update would change. Undefined until the fleet had to know the machines' tasks. */
  readonly planned: () => RunResult | undefined;
}

/** The machines of a prepared cluster. Undefined where its cloud has none that could be replaced. */
export async function openFleet(
  context: Pick<ActionContext, 'signal' | 'onEvent'>,
  { completed, store, settings }: PreparedCluster,
  convergence: Convergence,
): Promise<OpenedFleet | undefined> {
  let planned: RunResult | undefined;
  const tasks = async () => {
    if (convergence.resolved().length === 0) planned = await convergence.plan(context.signal);
    return convergence.resolved();
  };
  const fleet = await driverOf(completed.cluster).fleet?.({
    completed,
    storeUrl: store.url,
    settings,
    tasks,
    note: (line) => note(context, line),
  });
  return fleet && { fleet, planned: () => planned };
}

/** @throws ActionableError where nothing makes and ends the machines of the cluster's cloud */
export function requireFleet(opened: OpenedFleet | undefined, cluster: string): OpenedFleet {
  if (opened !== undefined) return opened;
  throw new ActionableError({
    what: `replace machines of ${cluster}`,
    why: 'kopsctl neither creates nor deletes the machines of its cloud',
    next: 'drain each machine with `kubectl drain`, set it up as new, and enroll it again',
  });
}
