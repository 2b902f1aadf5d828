import { asRecord, asString } from '@kopsctl/kube/json.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parse } from 'yaml';

/** The completed Cluster of the last apply: ours in a cluster of kops, ours in any other, and that of kops. */
const COMPLETED = ['manifests/kopsctl/cluster.spec', 'cluster.spec', 'cluster-completed.spec'];

/** The version of Kubernetes that was applied to a cluster last. Undefined where nothing ever was. */
export async function appliedKubernetes(
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const file of COMPLETED) {
    const stored = await store.read(`${cluster}/${file}`, signal);
    if (stored === undefined) continue;
    const { spec } = asRecord(parse(new TextDecoder().decode(stored.bytes)));
    const version = asString(asRecord(spec)['kubernetesVersion']);
    if (version !== undefined) return bareVersion(version);
  }
  return undefined;
}
