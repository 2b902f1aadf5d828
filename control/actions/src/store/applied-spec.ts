import { asRecord } from '@kopsctl/kube/json.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parse } from 'yaml';

/** The completed Cluster of the last apply, below the cluster's folder: ours in a cluster of kops, and ours in any other. */
export const COMPLETED_BY_KOPSCTL = ['manifests/kopsctl/cluster.spec', 'cluster.spec'];

/** The same, and that of kops. */
const COMPLETED = [...COMPLETED_BY_KOPSCTL, 'cluster-completed.spec'];

/** The completed spec of a Cluster as it was applied last. Undefined where nothing ever was. */
export async function appliedSpec(
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (const file of COMPLETED) {
    const stored = await store.read(`${cluster}/${file}`, signal);
    if (stored === undefined) continue;
    return asRecord(asRecord(parse(new TextDecoder().decode(stored.bytes)))['spec']);
  }
  return undefined;
}
