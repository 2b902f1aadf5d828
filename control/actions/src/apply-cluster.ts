import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { lookForOutdated, type OutdatedOverview } from './outdated/look-for-outdated.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { nameOfCluster } from './phases/choose-cluster.ts';
import { type Convergence, openConvergence, type Scope } from './phases/converge.ts';
import { isMade, makeCluster } from './phases/make-cluster.ts';
import { openStateStore } from './phases/open-store.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';
import { refusePartialPrune } from './phases/refuse-partial-prune.ts';
import { refuseMachinesBehind, refuseVersionStep } from './phases/refuse-version-step.ts';
import { type ReachedCluster, reachCluster } from './phases/reach-cluster.ts';
import { storedOrNew, type WantedCluster, writeSpec } from './phases/wanted-cluster.ts';
import { plannedSpec, readSavedPlan } from './plans/planned-spec.ts';
import { refuseDowngrade } from './store/applied-release.ts';
import type { ObjectChange } from './store/cluster-store.ts';
import { refuseUnadopted } from './store/origin.ts';
import { refuseMoved, type SavedPlan } from './plans/saved-plan.ts';
import { refuseOtherSpec, specVersions } from './plans/spec-versions.ts';
import { refuseBesideOperation } from './upgrade/refuse-beside-operation.ts';
import { readSubmitted } from './files/spec-files.ts';

export interface ApplyRequest {
  /** The cluster, where the command names one. */
  readonly cluster?: string | undefined;
  /** Files of objects; without them, what the store holds. */
  readonly files?: readonly string[] | undefined;
  /** A plan that was saved: exactly this plan is carried out, or nothing. */
  readonly planFile?: string | undefined;
  readonly scope: Scope;
  readonly assets?: string | undefined;
  /** Only machines of these roles are made and changed, with what all share. */
  readonly roles?: readonly NodeRole[] | undefined;
  /** Only machines of these groups are made and changed, with what all share. */
  readonly instanceGroups?: readonly string[] | undefined;
  /** Another minor version of Kubernetes is applied, whatever machines run now. */
  readonly ignoresSkew?: boolean | undefined;
  /** It is applied although a newer kopsctl applied it last. */
  readonly allowsDowngrade?: boolean | undefined;
  /** It is a stage of an upgrade, which holds the lock of upgrades. */
  readonly isStage?: boolean;
  /** How long to wait until the cluster is valid; without it, there is no wait. */
  readonly waitMs?: number | undefined;
}

export interface AppliedCluster {
  readonly cluster: string;
  /** What was stored of the spec. Absent where all of it was stored before. */
  readonly specChanges?: readonly ObjectChange[];
  readonly result: RunResult;
  /** Machines that were made from an older spec, where that could be found out. */
  readonly outdated?: OutdatedOverview;
  /** Present where the cluster was waited for. */
  readonly reached?: ReachedCluster;
}

/** Stores the spec and applies it, then waits until the cluster is valid. */
export async function applyCluster(context: ActionContext, request: ApplyRequest): Promise<AppliedCluster> {
  const { planFile, assets, waitMs, roles, instanceGroups } = request;
  const { ignoresSkew = false, allowsDowngrade = false, isStage = false } = request;
  refusePartialPrune(request.scope, request);
  const store = await openStateStore(context);
  const saved = planFile === undefined ? undefined : await readSavedPlan(planFile, store, context.env);
  const scope = saved === undefined ? request.scope : { ...request.scope, prune: saved.prune };
  const wanted = await inPhase(context, 'read the cluster', () => wantedBy(context, request, store, saved));
  const spec = saved?.spec ?? (await specVersions(store, wanted.name));
  await refuseUnadopted(store, wanted.name);
  if (!allowsDowngrade) await refuseDowngrade(store, wanted.name);
  const refuse = async () => {
    if (isStage) return;
    await refuseBesideOperation(store, wanted.name, { what: `apply ${wanted.name}`, roles }, context.signal);
  };
  await refuse();
  const isOtherMinor = !ignoresSkew && (await refuseVersionStep(store, wanted, context.signal));
  const prepared = await prepareCluster(context, { store, wanted, assets, roles, instanceGroups, asksCloud: true });
  const convergence = await openConvergence(context, prepared, scope);
  if (isOtherMinor) await refuseMachinesBehind(context, prepared, convergence);
  const result = await makeCluster(context, prepared, convergence, async (signal) => {
    // One that begins from now on needs this lock before it changes machines.
    await refuse();
    if (saved !== undefined) {
      await inPhase(context, 'compare with the saved plan', () => confirm(store, saved, convergence, signal));
    } else await refuseOtherSpec(store, wanted.name, { what: `apply ${wanted.name}`, before: spec });
    await inPhase(context, 'store the spec', () => writeSpec(store, wanted));
  });
  const specChanges = wanted.changes.filter(({ change }) => change !== 'none');
  const made = { cluster: wanted.name, specChanges, result };
  if (!isMade(result)) return made;
  const outdated = await inPhase(context, 'look for outdated machines', () =>
    lookForOutdated(context, prepared, convergence),
  );
  const applied = { ...made, ...(outdated !== undefined && { outdated }) };
  if (waitMs === undefined) return applied;
  return { ...applied, reached: await reachCluster(context, prepared, waitMs) };
}

/** What is to be applied: the files' objects, those of a saved plan, or what the store holds. */
async function wantedBy(
  context: ActionContext,
  { cluster, files }: ApplyRequest,
  store: StateStore,
  saved: SavedPlan | undefined,
): Promise<WantedCluster> {
  if (saved !== undefined) {
    return { name: saved.cluster, ...(await plannedSpec(store, saved)), changes: saved.changes, objects: [] };
  }
  if (files !== undefined) return readSubmitted(files, store, context.env);
  return storedOrNew(store, await nameOfCluster(context, store, cluster));
}

/** @throws ActionableError where anything that the plan was made from has changed */
async function confirm(store: StateStore, saved: SavedPlan, convergence: Convergence, signal: AbortSignal) {
  const spec = await specVersions(store, saved.cluster);
  refuseMoved(saved, { spec, planned: await convergence.plan(signal), tasks: convergence.tasks });
}
