import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findCluster, type ObjectChange, readCluster, unknownCluster, writeObject } from '../store/cluster-store.ts';

/** A cluster as it is to be: the person's objects, and what of them is not stored yet. */
export interface WantedCluster {
  readonly name: string;
  readonly cluster: Cluster;
  readonly instanceGroups: readonly InstanceGroup[];
  readonly changes: readonly ObjectChange[];
  /** As they stand in files, so that faults can say where. */
  readonly objects: readonly ParsedObject[];
}

/** The cluster as the store holds it. */
export async function storedCluster(store: StateStore, name: string): Promise<WantedCluster> {
  return { name, ...(await readCluster(store, name)), changes: [], objects: [] };
}

/** The same for a command that also makes clusters of files: it says so where the store does not hold the cluster. */
export async function storedOrNew(store: StateStore, name: string): Promise<WantedCluster> {
  const found = await findCluster(store, name);
  if (found !== undefined) return { name, ...found, changes: [], objects: [] };
  const next = 'check --name and --state, or create the cluster with `kopsctl apply -f FILE --yes`';
  throw await unknownCluster(store, name, `read the cluster ${name}`, next);
}

/** Stores what is not stored yet, over exactly what was read. */
export async function writeSpec(store: StateStore, { changes }: WantedCluster): Promise<void> {
  for (const change of changes) await writeObject(store, change);
}
