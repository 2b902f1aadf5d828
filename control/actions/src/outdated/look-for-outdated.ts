import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { openAdminClient } from '../access/admin-client.ts';
import type { ActionContext } from '../phases/action.ts';
import { note } from '../phases/action.ts';
import { type Convergence, openConvergence } from '../phases/converge.ts';
import { openFleet } from '../phases/open-fleet.ts';
import { type PreparedCluster, prepareCluster } from '../phases/prepare-cluster.ts';
import { within } from '../phases/within.ts';
import { storedCluster } from '../phases/wanted-cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { findOutdated } from './find-outdated.ts';
import { markedNodes } from './marked-nodes.ts';
import { afterPlan, type OutdatedMachine } from './plan-outdated.ts';

export interface OutdatedOverview {
  /** How many machines there are. */
  readonly machines: number;
  readonly outdated: readonly OutdatedMachine[];
}

/** This goes beyond what was asked for: an API that does not answer in this time is not waited for. */
const MARKS_TIMEOUT_MS = 5_000;
/** A control plane that was made just now may not serve its API yet, and nobody has marked a Node there. */
const NEW_MS = 10 * 60_000;

/**
 * The machines that a rolling update would replace, or would once a plan is applied. Undefined where the cloud has no
 * machines that could be replaced, or cannot say now; the person is only told so: this goes beyond what was asked for.
 */
export async function lookForOutdated(
  context: ActionContext,
  prepared: PreparedCluster,
  convergence: Convergence,
  planned?: RunResult,
): Promise<OutdatedOverview | undefined> {
  const { store, name: cluster, tasks } = prepared;
  const { signal } = context;
  try {
    const opened = await openFleet(context, prepared, convergence);
    if (opened === undefined) return undefined;
    const { fleet } = opened;
    const groups = afterPlan(await fleet.groups(signal), planned && fleet.changedGroups?.(planned.tasks));
    const marked = await marksIn(context, prepared, groups);
    const outdated = await findOutdated({ store, cluster, groups, tasks, marked, force: false, signal });
    return { machines: groups.reduce((sum, { machines }) => sum + machines.length, 0), outdated };
  } catch (error) {
    signal.throwIfAborted();
    note(context, `Note: cannot determine which machines are outdated: ${messageOf(error)}`);
    return undefined;
  }
}

/** The Nodes whose machines people want to be replaced. Without an API that answers, only what the cloud tells counts. */
async function marksIn(
  context: ActionContext,
  prepared: PreparedCluster,
  groups: readonly FleetGroup[],
): Promise<ReadonlySet<string>> {
  const { env, signal } = context;
  const beforeMs = Date.now() - NEW_MS;
  const hasApi = groups.some(
    ({ role, machines }) =>
      role === 'ControlPlane' && machines.some(({ running, launchedMs = 0 }) => running && launchedMs < beforeMs),
  );
  if (!hasApi) return new Set();
  try {
    return await within(MARKS_TIMEOUT_MS, 'ask the API for Nodes', signal, (ended) =>
      markedNodes(openAdminClient(prepared, { env }), ended),
    );
  } catch (error) {
    signal.throwIfAborted();
    note(context, `Note: cannot determine which Nodes are marked for an update: ${messageOf(error)}`);
    return new Set();
  }
}

/** The same for a stored cluster. Reports nothing about how it is worked out. */
export async function outdatedOfStored(
  context: ActionContext,
  store: StateStore,
  cluster: string,
): Promise<OutdatedOverview | undefined> {
  const silent: ActionContext = { ...context, onEvent: () => {} };
  try {
    const wanted = await storedCluster(store, cluster);
    const prepared = await prepareCluster(silent, {
      store,
      wanted,
      assets: undefined,
      asksCloud: true,
      isMade: true,
    });
    const convergence = await openConvergence(silent, prepared, { prune: false });
    return await lookForOutdated(context, prepared, convergence);
  } catch (error) {
    context.signal.throwIfAborted();
    note(context, `Note: cannot determine which machines are outdated: ${messageOf(error)}`);
    return undefined;
  }
}
