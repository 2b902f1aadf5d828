import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { readCluster, type StoredCluster } from './store/cluster-store.ts';
import { clusterNames } from './store/cluster-names.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { additionalObjectsPath } from './store/object-paths.ts';
import { openStateStore } from './phases/open-store.ts';

/** `full`: the completed spec, with every inferred value. */
interface Completeness {
  readonly full: boolean;
}

/** The clusters of a store: those named, else all. @throws ActionableError where there is none */
export async function getClusters(
  context: ActionContext,
  { names, full }: Completeness & { readonly names: readonly string[] },
): Promise<readonly Cluster[]> {
  const store = await openStateStore(context);
  const named = names.length > 0 || context.name === undefined ? names : [context.name];
  const wanted = named.length > 0 ? named : await clusterNames(store);
  if (wanted.length === 0) {
    throw new ActionableError({
      what: 'show clusters',
      why: `${store.url} holds none`,
      next: 'check --state, or create one with `kopsctl create cluster NAME`',
    });
  }
  const read = await Promise.all(wanted.map((name) => readAs(store, name, full)));
  return read.map(({ cluster }) => cluster);
}

/** A Cluster, its instance groups, and the further objects that are applied to it. */
export async function getCluster(
  context: ActionContext,
  { full }: Completeness,
): Promise<StoredCluster & { readonly additional: readonly object[] }> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const [objects, additional] = await Promise.all([
    readAs(store, cluster, full),
    store.read(additionalObjectsPath(cluster), context.signal),
  ]);
  return { ...objects, additional: additional === undefined ? [] : await objectsIn(additional.bytes) };
}

async function objectsIn(bytes: Uint8Array): Promise<readonly object[]> {
  const { parseAllDocuments } = await import('yaml');
  return parseAllDocuments(new TextDecoder().decode(bytes)).flatMap((document): readonly object[] => {
    const value: unknown = document.toJS();
    return isRecord(value) ? [value] : [];
  });
}

/** Instance groups of a cluster: those named, else all. @throws ActionableError where one is missing */
export async function getInstanceGroups(
  context: ActionContext,
  { names, full }: Completeness & { readonly names: readonly string[] },
): Promise<readonly InstanceGroup[]> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const { instanceGroups } = await readAs(store, cluster, full);
  const known = instanceGroups.map(({ metadata }) => metadata.name);
  const [missing] = names.filter((name) => !known.includes(name));
  if (missing !== undefined) {
    const near = nearestName(missing, known);
    throw new ActionableError({
      what: `show instance group ${missing} of ${cluster}`,
      why: `not found; existing instance groups: ${known.join(', ') || 'none'}`,
      next: near === undefined ? 'choose one of these' : `did you mean ${near}?`,
    });
  }
  return instanceGroups.filter(({ metadata }) => names.length === 0 || names.includes(metadata.name));
}

async function readAs(store: StateStore, name: string, full: boolean): Promise<StoredCluster> {
  const stored = await readCluster(store, name);
  if (!full) return stored;
  const { completeStored } = await import('./spec/complete.ts');
  return completeStored(stored, store.url);
}
