import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { MadeByKopsctl } from '@kopsctl/model/fleet.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { whyKopsCannot } from './adopt/refuse-giving-back.ts';
import { objectsOfKopsctl } from './adopt/objects-of-kopsctl.ts';
import { observeGivingBack } from './adopt/observe-giving-back.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { aloneWithCluster, locksOf } from './phases/alone-with-cluster.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { openConvergence } from './phases/converge.ts';
import { openFleet } from './phases/open-fleet.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';
import { storedCluster, type WantedCluster } from './phases/wanted-cluster.ts';
import { deleteInOrder } from './store/delete-in-order.ts';
import { adoptionPath, type Origin, readOrigin, recordGivenBack } from './store/origin.ts';
import { refuseBesideUpgrade } from './upgrade/operation-lock.ts';

export interface GiveBackRequest {
  readonly cluster?: string | undefined;
  /** The cluster is given back; otherwise what that changes is shown. */
  readonly yes: boolean;
  readonly assets?: string | undefined;
}

/** Giving back takes two runs: kops puts its machines back between them. */
export interface GivenBackCluster {
  readonly cluster: string;
  readonly kopsVersion: string;
  /** Whether this run changed anything. */
  readonly isMade: boolean;
  /** This run writes down that kopsctl leaves the cluster alone. */
  readonly isMarked: boolean;
  /** What in the cloud is still kopsctl's; undefined where the cloud does not tell. */
  readonly made: MadeByKopsctl | undefined;
  /** Objects that nobody reads once all machines are kops's, below the cluster's folder. */
  readonly objects: readonly string[];
  /** Those objects are deleted in this run. */
  readonly isCleared: boolean;
}

/**
 * Gives a cluster back to kops, or shows what that changes. First kopsctl leaves it alone; once nothing in the cloud is
 * kopsctl's any more, its objects are deleted. What kops wrote, backups and volumes are never touched, and neither is the
 * cloud: kops puts its own launch templates and policies back.
 */
export async function giveBackCluster(
  context: ActionContext,
  { cluster: argument, yes, assets }: GiveBackRequest,
): Promise<GivenBackCluster> {
  const { signal } = context;
  const { store, cluster } = await chooseCluster(context, argument);
  const wanted = await inPhase(context, 'read the cluster', () => storedCluster(store, cluster));
  const origin = takenOver(cluster, await readOrigin(store, cluster, signal));
  const what = `give ${cluster} back to kops`;
  await refuseBesideUpgrade(store, cluster, what);
  await inPhase(context, 'check whether kops can take it back', () => refuseHindered(store, wanted, signal));
  const look = () =>
    inPhase(context, 'find what kopsctl made in the cloud', () => findMade(context, store, wanted, assets));
  const made = await look();
  const shown = {
    cluster,
    kopsVersion: origin.version,
    isMarked: origin.givenBack === undefined,
    made,
    objects: await objectsIn(store, cluster, origin, signal),
    isCleared: isOfKops(made),
  };
  if (!yes) return { ...shown, isMade: false };
  return aloneWithCluster(context, { store, cluster, what, purpose: 'give-back' }, async (held) => {
    await inPhase(context, 'record that kopsctl leaves it alone', () =>
      recordGivenBack(store, cluster, Date.now(), held),
    );
    // If somebody applied it in the meantime, that is seen now; from here on, nobody can.
    const now = await look();
    if (!isOfKops(now)) return { ...shown, made: now, isCleared: false, isMade: true };
    const objects = await objectsIn(store, cluster, origin, held);
    const order = { paths: objects.map((object) => `${cluster}/${object}`), last: lastOf(cluster) };
    await inPhase(context, 'delete what only kopsctl reads', () => deleteInOrder(store, order, held));
    return { ...shown, made: now, objects, isCleared: true, isMade: true };
  });
}

type OfKops = Extract<Origin, { maker: 'kops' }>;

/** @throws ActionableError where there is nothing to give back */
function takenOver(cluster: string, origin: Origin): OfKops {
  if (origin.maker === 'kops' && (origin.adopted ?? origin.givenBack) !== undefined) return origin;
  throw new ActionableError({
    what: `give ${cluster} back to kops`,
    why:
      origin.maker === 'kops'
        ? 'kopsctl has not taken it over, or has given it back already'
        : 'kops has never applied it: the store has no kops-version.txt of it',
    next:
      origin.maker === 'kops'
        ? `run kops itself: kops update cluster ${cluster}`
        : 'kopsctl made it, so there is nothing that kops could take back',
  });
}

/** @throws ActionableError where kops could not take it back */
async function refuseHindered(store: StateStore, { cluster }: WantedCluster, signal: AbortSignal): Promise<void> {
  const hindrance = whyKopsCannot(await observeGivingBack(store, cluster, signal));
  if (hindrance === undefined) return;
  throw new ActionableError({ what: `give ${cluster.metadata.name} back to kops`, ...hindrance });
}

async function findMade(
  context: ActionContext,
  store: StateStore,
  wanted: WantedCluster,
  assets: string | undefined,
): Promise<MadeByKopsctl | undefined> {
  // This is not about what the spec would make.
  const silent: ActionContext = { ...context, onEvent: () => {} };
  const prepared = await prepareCluster(silent, { store, wanted, assets, asksCloud: true, isMade: true });
  const convergence = await openConvergence(silent, prepared, { prune: false });
  const opened = await openFleet(context, prepared, convergence);
  return opened?.fleet.madeByKopsctl?.(context.signal);
}

/** Nothing in the cloud is kopsctl's, as far as the cloud tells. */
const isOfKops = (made: MadeByKopsctl | undefined): boolean =>
  made !== undefined && made.groups.length === 0 && made.machines.length === 0;

/** The record goes last, because the command cannot be repeated without it, and then the locks that are held meanwhile. */
const lastOf = (cluster: string): readonly string[] => [adoptionPath(cluster), ...locksOf(cluster)];

async function objectsIn(
  store: StateStore,
  cluster: string,
  { objectsOfKops }: OfKops,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const below = (path: string) => path.slice(cluster.length + 1);
  const listed = await store.list(cluster, signal);
  return objectsOfKopsctl(
    listed.map(({ path }) => below(path)),
    objectsOfKops,
    lastOf(cluster).map(below),
  );
}
