import { accessCluster } from './access/cluster-access.ts';
import { localSettings } from './cloud/local-settings.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { waitUntilValid } from './phases/wait-until-valid.ts';
import type { ValidationFailure } from './validate/plan-validation.ts';

/** Finds out what is wrong with a running cluster, for as long as there is something and the time is not over. */
export async function validateCluster(
  context: ActionContext,
  request: { readonly cluster?: string | undefined; readonly waitMs: number },
): Promise<{ readonly cluster: string; readonly failures: readonly ValidationFailure[] }> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const access = await inPhase(context, 'find the API', () =>
    accessCluster(store, cluster, localSettings(context.env, undefined)),
  );
  const failures = await inPhase(context, 'wait until the cluster is valid', () =>
    waitUntilValid(context, { store, cluster, access, waitMs: request.waitMs }),
  );
  return { cluster, failures };
}
