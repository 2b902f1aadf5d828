import type { StateStore } from '@kopsctl/state-store/store.ts';
import { unknownCluster } from '../store/cluster-store.ts';
import { inParallel } from '../store/in-parallel.ts';
import { additionalObjectsPath, instanceGroupFolder, objectPath } from '../store/object-paths.ts';
import type { SpecTexts } from './spec-at.ts';

/** Each object of a stored spec, by its path below the cluster's folder. @throws ActionableError if there is no such cluster */
export async function readSpecTexts(store: StateStore, cluster: string): Promise<SpecTexts> {
  const groups = await store.list(instanceGroupFolder(cluster));
  const config = objectPath(cluster, 'Cluster', cluster);
  const texts = new Map<string, string>();
  await inParallel([config, additionalObjectsPath(cluster), ...groups.map(({ path }) => path)], async (path) => {
    const stored = await store.read(path);
    if (stored !== undefined) texts.set(path.slice(cluster.length + 1), new TextDecoder().decode(stored.bytes));
  });
  if (!texts.has('config')) throw await unknownCluster(store, cluster, `read the spec of ${cluster}`);
  return new Map([...texts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
