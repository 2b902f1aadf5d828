import { asString } from '@kopsctl/kube/json.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { appliedSpec } from '../store/applied-spec.ts';

/** The version of Kubernetes that was applied to a cluster last. Undefined where nothing ever was. */
export async function appliedKubernetes(
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const version = asString((await appliedSpec(store, cluster, signal))?.['kubernetesVersion']);
  return version === undefined ? undefined : bareVersion(version);
}
