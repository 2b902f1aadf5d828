import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { readOnce } from '@kopsctl/state-store/read-once.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { ObjectChange } from './store/cluster-store.ts';
import { lookForOutdated, type OutdatedOverview } from './outdated/look-for-outdated.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { nameOfCluster } from './phases/choose-cluster.ts';
import { openConvergence, type Scope } from './phases/converge.ts';
import { openStateStore } from './phases/open-store.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';
import { refusePartialPrune } from './phases/refuse-partial-prune.ts';
import { refuseMachinesBehind, refuseVersionStep } from './phases/refuse-version-step.ts';
import { storedOrNew } from './phases/wanted-cluster.ts';
import { unadoptedRelease } from './store/origin.ts';
import { readAhead } from './store/read-ahead.ts';
import { printSavedPlan } from './plans/saved-plan.ts';
import { specVersions } from './plans/spec-versions.ts';
import { readSubmitted } from './files/spec-files.ts';
import { writeOutput } from './files/write-output.ts';

export interface PlanRequest {
  /** The cluster, where the command names one. */
  readonly cluster?: string | undefined;
  /** Files of objects; without them, what the store holds. */
  readonly files?: readonly string[] | undefined;
  readonly scope: Scope;
  readonly assets?: string | undefined;
  /** Another minor version of Kubernetes is planned, whatever machines run now. */
  readonly ignoresSkew?: boolean | undefined;
  /** Only machines of these roles are made and changed, with what all share. */
  readonly roles?: readonly NodeRole[] | undefined;
  /** Only machines of these groups are made and changed, with what all share. */
  readonly instanceGroups?: readonly string[] | undefined;
  /** The file that gets the plan, so that exactly this plan can be applied. */
  readonly out?: string | undefined;
}

/** What making a cluster would change. */
export interface PlannedCluster {
  readonly cluster: string;
  readonly specChanges: readonly ObjectChange[];
  readonly result: RunResult;
  /** The release of kops that made it, where kopsctl has not taken it over: then nothing of the plan is carried out. */
  readonly unadopted?: string;
  /** Machines that would be, or are, of an older spec, where that could be found out. */
  readonly outdated?: OutdatedOverview;
}

/** Shows what making a cluster would change. Changes nothing. */
export async function planCluster(context: ActionContext, request: PlanRequest): Promise<PlannedCluster> {
  const { files, scope, assets, out, roles, instanceGroups, ignoresSkew = false } = request;
  refusePartialPrune(scope, request);
  const store = readOnce(await openStateStore(context));
  const wanted = await inPhase(context, 'read the cluster', async () => {
    if (files !== undefined) return readSubmitted(files, store, context.env);
    const name = await nameOfCluster(context, store, request.cluster);
    readAhead(store, name, context.signal);
    return storedOrNew(store, name);
  });
  // Read before the plan is made: what is written in between makes the saved plan one of another spec.
  const spec = out === undefined ? {} : await specVersions(store, wanted.name);
  const isOtherMinor = !ignoresSkew && (await refuseVersionStep(store, wanted, context.signal));
  const prepared = await prepareCluster(context, { store, wanted, assets, roles, instanceGroups, asksCloud: true });
  const convergence = await openConvergence(context, prepared, scope);
  if (isOtherMinor) await refuseMachinesBehind(context, prepared, convergence);
  const result = await inPhase(context, 'plan the changes', () => convergence.plan(context.signal));
  const isWhole = result.failed === 0 && !result.cancelled;
  if (out !== undefined && isWhole) {
    const { name: cluster, changes } = wanted;
    const plan = { cluster, store: store.url, prune: scope.prune, spec, changes };
    await inPhase(context, 'save the plan', () => writeOutput(out, printSavedPlan(plan, result, convergence.tasks)));
  }
  const specChanges = wanted.changes.filter(({ change }) => change !== 'none');
  const outdated = isWhole ? await lookForOutdated(context, prepared, convergence, result) : undefined;
  const unadopted = await unadoptedRelease(store, wanted.name);
  return {
    cluster: wanted.name,
    specChanges,
    result,
    ...(unadopted !== undefined && { unadopted }),
    ...(outdated !== undefined && { outdated }),
  };
}
