import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { canMake } from '../cloud/cloud-layer.ts';
import { findCluster, unknownCluster } from '../store/cluster-store.ts';
import { objectPath } from '../store/object-paths.ts';
import { type ActionContext, note } from './action.ts';
import { emptyCloud } from './empty-cloud.ts';

/** Something of a cluster that is to be deleted. */
export interface Remnant {
  readonly type: string;
  readonly name: string;
}

/** Everything that is left of a cluster, and how what it has outside of the store is deleted. */
export interface Remains {
  readonly remnants: readonly Remnant[];
  /** What could not be looked for in the cloud; nothing is deleted then. */
  readonly failed?: RunResult;
  /** Deletes what the cluster has outside of its store. Resolves with what failed, if anything did. */
  readonly empty: (signal: AbortSignal) => Promise<RunResult | undefined>;
}

export interface FindRemains {
  readonly store: StateStore;
  readonly cluster: string;
  /** The cloud is left alone, and only the state is deleted. */
  readonly unregister: boolean;
}

/** Finds what is left of a cluster. @throws ActionableError where nothing is, or where it cannot be looked for */
export async function findRemains(
  context: ActionContext,
  { store, cluster, unregister }: FindRemains,
): Promise<Remains> {
  const entries = await store.list(cluster, context.signal);
  const state = { type: 'state', name: `${store.url}/${cluster} (${entries.length} objects)` };
  const isStored = entries.some(({ path }) => path === objectPath(cluster, 'Cluster', cluster));
  if (unregister && entries.length > 0) return { remnants: [state], empty: async () => undefined };
  if (isStored) {
    const stored = await findCluster(store, cluster);
    if (stored !== undefined) return inItsCloud(context, store, stored.cluster, state);
  }
  const abandoned = (await onThisComputer(context, store, cluster)).filter(
    ({ remnants, failed }) => remnants.length > 0 || failed !== undefined,
  );
  if (entries.length === 0 && abandoned.length === 0) {
    throw await unknownCluster(store, cluster, `delete the cluster ${cluster}`);
  }
  note(context, `Note: ${store.url} does not hold the Cluster ${cluster}, so only what is listed here is deleted`);
  return together([...abandoned, ...(entries.length > 0 ? [{ remnants: [state], empty: async () => undefined }] : [])]);
}

/** Finds what a cloud has of a cluster that no store holds. @throws ActionableError where nothing is, or it cannot be looked for */
export async function findExternalRemains(context: ActionContext, name: string, region: string): Promise<Remains> {
  const parts = await Promise.all(
    CLOUDS.flatMap(({ driver }) =>
      driver?.external === undefined ? [] : [inCloud(context, '', driver.external(name, region))],
    ),
  );
  const remains = together(parts);
  if (remains.remnants.length > 0 || remains.failed !== undefined) return remains;
  throw new ActionableError({
    what: `delete the cluster ${name}`,
    why: `nothing in ${region} belongs to a cluster of that name`,
    next: 'check the name, --region, and the account of the credentials',
  });
}

/** Several as one: they are emptied one after the other, up to the first that fails. */
function together(parts: readonly Remains[]): Remains {
  const failed = parts.find((one) => one.failed !== undefined)?.failed;
  return {
    remnants: parts.flatMap(({ remnants }) => remnants),
    ...(failed !== undefined && { failed }),
    async empty(signal) {
      for (const { empty } of parts) {
        const unfinished = await empty(signal);
        if (unfinished !== undefined) return unfinished;
      }
      return undefined;
    },
  };
}

async function inItsCloud(
  context: ActionContext,
  store: StateStore,
  cluster: Cluster,
  state: Remnant,
): Promise<Remains> {
  refuseUnreachableCloud(cluster);
  const { remnants, ...rest } = await inCloud(context, store.url, cluster);
  return { ...rest, remnants: [...remnants, state] };
}

/** What a cloud holds of a cluster. */
async function inCloud(
  context: ActionContext,
  storeUrl: string,
  cluster: Pick<Cluster, 'metadata' | 'spec'>,
): Promise<Remains> {
  const request = { cluster, storeUrl };
  const planned = await emptyCloud(context, { ...request, mode: 'plan', signal: context.signal });
  return {
    remnants: planned.deletions.map(({ kind, owned }) => ({ type: kind, name: owned.description })),
    ...(planned.failed > 0 || planned.cancelled ? { failed: planned } : {}),
    async empty(signal) {
      const emptied = await emptyCloud(context, { ...request, mode: 'apply', signal });
      return emptied.failed > 0 || emptied.cancelled ? emptied : undefined;
    },
  };
}

/** Nothing is known of what may be in such a cloud: kops, with the same store, may have made the cluster. */
function refuseUnreachableCloud({ metadata: { name }, spec: { cloudProvider } }: Cluster): void {
  if (canMake(cloudProvider)) return;
  throw new ActionableError({
    what: `delete the cluster ${name}`,
    why: `kopsctl cannot list the resources of the cloud provider ${cloudProvider ?? '(none)'}, and it has created nothing there`,
    next: `if nothing else made it, \`kopsctl delete cluster ${name} --unregister --yes\` deletes its state alone`,
  });
}

/** Machines of a cluster that its store no longer holds: no other command would find them. */
async function onThisComputer(context: ActionContext, store: StateStore, name: string): Promise<readonly Remains[]> {
  const clouds = CLOUDS.filter(({ traits, driver }) => traits.sharesHost && driver !== undefined);
  return Promise.all(
    clouds.map(async ({ name: cloudProvider }) =>
      inCloud(context, store.url, { metadata: { name }, spec: { cloudProvider } }),
    ),
  );
}
