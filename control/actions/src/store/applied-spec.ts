import { asRecord } from '@kopsctl/kube/json.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parse } from 'yaml';

/** The completed Cluster of the last apply: ours in a cluster of kops, ours in any other, and that of kops. */
const COMPLETED = ['manifests/kopsctl/cluster.spec', 'cluster.spec', 'cluster-completed.spec'];

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
