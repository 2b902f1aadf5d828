import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { type AdoptionChange, planAdoption } from './adopt/plan-adoption.ts';
import { refuseOtherCompletion } from './adopt/refuse-other-completion.ts';
import { whyStored } from './adopt/store-reasons.ts';
import { driverOf } from './cloud/cloud-layer.ts';
import { lookForOutdated, type OutdatedOverview } from './outdated/look-for-outdated.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { openConvergence } from './phases/converge.ts';
import { isMade, makeCluster } from './phases/make-cluster.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';
import { refuseMachinesBehind, refuseVersionStep } from './phases/refuse-version-step.ts';
import { storedCluster } from './phases/wanted-cluster.ts';
import { refuseOtherSpec, specVersions } from './plans/spec-versions.ts';
import { appliedReleasePath, refuseDowngrade } from './store/applied-release.ts';
import { adoptionPath, type Origin, readOrigin, recordAdoption } from './store/origin.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';
import { refuseBesideOperation } from './upgrade/refuse-beside-operation.ts';

export interface AdoptRequest {
  readonly cluster?: string | undefined;
  /** The cluster is taken over; otherwise what that changes is shown. */
  readonly yes: boolean;
  readonly assets?: string | undefined;
}

export interface AdoptedCluster {
  readonly cluster: string;
  readonly kopsVersion: string;
  /** When it was taken over before. */
  readonly adopted?: string;
  /** What had to change, before anything was changed. */
  readonly changes: readonly AdoptionChange[];
  /** Objects in the store that stay as they are: kops, and machines that it made, read them. */
  readonly kept: readonly string[];
  /** The result of the plan, or of the changes where they were made. */
  readonly result: RunResult;
  /** Machines that kops made, where that could be found out. */
  readonly outdated?: OutdatedOverview;
}

/** Takes over a cluster that kops made, or shows what that changes. Its machines are replaced by a rolling update afterwards. */
export async function adoptCluster(
  context: ActionContext,
  { cluster: argument, yes, assets }: AdoptRequest,
): Promise<AdoptedCluster> {
  const { signal } = context;
  const { store, cluster } = await chooseCluster(context, argument);
  const what = `take over ${cluster}`;
  // Read before the spec is: what is written in between counts as changed.
  const before = await specVersions(store, cluster);
  const wanted = await inPhase(context, 'read the cluster', () => storedCluster(store, cluster));
  const origin = ofKops(cluster, await readOrigin(store, cluster, signal));
  const prepared = await prepareCluster(context, { store, wanted, assets, asksCloud: true });
  await refuseOtherCompletion(store, prepared.completed.cluster, signal);
  const convergence = await openConvergence(context, prepared, { prune: false });
  const planned = await inPhase(context, 'plan the changes', () => convergence.plan(signal));
  const reasons = driverOf(prepared.completed.cluster).adoptionReasons;
  const changes = [
    ...(origin.adopted === undefined
      ? [adoptionPath(cluster), appliedReleasePath(cluster)].map((path) => recordAt(cluster, path))
      : []),
    ...planAdoption(planned, convergence.tasks, reasons),
  ];
  const kept = await keptIn(store, cluster, changes);
  const shown = { cluster, kopsVersion: origin.version, adopted: origin.adopted, changes, kept };
  const result = !yes || planned.failed > 0 ? planned : await takeOver();
  const outdated = isMade(result) ? await lookForOutdated(context, prepared, convergence) : undefined;
  const { adopted, ...facts } = shown;
  return { ...facts, result, ...(adopted !== undefined && { adopted }), ...(outdated !== undefined && { outdated }) };

  async function takeOver(): Promise<RunResult> {
    await refuseDowngrade(store, cluster);
    await refuseInBetween();
    const isOtherMinor = await refuseVersionStep(store, wanted, signal);
    if (isOtherMinor) await refuseMachinesBehind(context, prepared, convergence);
    await inPhase(context, 'record that kopsctl takes the cluster over', () =>
      withClusterLock(store, cluster, 'adopt', context, async (held) => {
        await refuseInBetween();
        await recordAdoption(store, cluster, { nowMs: Date.now(), kopsVersion: origin.version }, held);
      }),
    );
    return makeCluster(context, prepared, convergence, refuseInBetween);
  }

  /** A cluster that was taken over before may be upgraded, and its spec changed, while this is prepared. */
  async function refuseInBetween(): Promise<void> {
    await refuseBesideOperation(store, cluster, { what }, signal);
    await refuseOtherSpec(store, cluster, { what, before });
  }
}

/** @throws ActionableError where there is nothing to take over */
function ofKops(cluster: string, origin: Origin): Extract<Origin, { maker: 'kops' }> {
  if (origin.maker === 'kops') return origin;
  throw new ActionableError({
    what: `take over ${cluster}`,
    why: 'kops has never applied it: the store has no kops-version.txt of it',
    next: `\`kopsctl update cluster ${cluster}\` shows what would be made`,
  });
}

/** What is written beside what the model makes. */
function recordAt(cluster: string, path: string): AdoptionChange {
  const object = path.slice(cluster.length + 1);
  return { place: 'store', object, change: 'create', fields: [], why: whyStored(object) ?? '', isPending: false };
}

async function keptIn(
  store: StateStore,
  cluster: string,
  changes: readonly AdoptionChange[],
): Promise<readonly string[]> {
  const changed = new Set(changes.flatMap(({ place, object }) => (place === 'store' ? [object] : [])));
  const stored = await store.list(cluster);
  return stored.map(({ path }) => path.slice(cluster.length + 1)).filter((path) => !changed.has(path));
}
