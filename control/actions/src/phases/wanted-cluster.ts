import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { type ObjectChange, readCluster, writeObject } from '../store/cluster-store.ts';

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

/** Stores what is not stored yet, over exactly what was read. */
export async function writeSpec(store: StateStore, { changes }: WantedCluster): Promise<void> {
  for (const change of changes) await writeObject(store, change);
}
