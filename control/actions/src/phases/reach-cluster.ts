import type { StateStore } from '@kopsctl/state-store/store.ts';
import { accessCluster, exportAccess } from '../access/cluster-access.ts';
import { kubeconfigPath } from '../access/kubeconfig-file.ts';
import type { HostSettings } from '@kopsctl/model/cloud.ts';
import type { ValidationFailure } from '../validate/plan-validation.ts';
import { type ActionContext, inPhase } from './action.ts';
import { waitUntilValid } from './wait-until-valid.ts';

/** A cluster that was made: how it is reached, and what is still wrong with it. */
export interface ReachedCluster {
  /** The file that has the access to it. */
  readonly kubeconfig: string;
  readonly failures: readonly ValidationFailure[];
}

/** Writes the access to a cluster into the user's kubeconfig and waits until the cluster is valid. */
export async function reachCluster(
  context: ActionContext,
  { store, name, settings }: { readonly store: StateStore; readonly name: string; readonly settings: HostSettings },
  waitMs: number,
): Promise<ReachedCluster> {
  const kubeconfig = kubeconfigPath(context.env);
  const access = await inPhase(context, 'write the kubeconfig', async () => {
    const found = await accessCluster(store, name, settings, { signal: context.signal });
    await exportAccess(found, name, kubeconfig);
    return found;
  });
  const { failures } = await inPhase(context, 'wait until the cluster is valid', () =>
    waitUntilValid(context, { store, cluster: name, access, waitMs, looksAtFoundations: false }),
  );
  return { kubeconfig, failures };
}
