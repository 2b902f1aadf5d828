import type { ApiChoice } from './access/api-choice.ts';
import { accessCluster } from './access/cluster-access.ts';
import { hostSettings } from './cloud/host-settings.ts';
import type { FollowedCluster } from './follow/follow-cluster.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { type Waiting, waitUntilValid } from './phases/wait-until-valid.ts';
import { within } from './phases/within.ts';

export interface ValidateRequest extends Pick<Waiting, 'waitMs' | 'count' | 'intervalMs' | 'maxUnreadyNodes'> {
  readonly cluster?: string | undefined;
  /** Where the API is asked, if a person says so. */
  readonly choice?: ApiChoice | undefined;
}

export interface ValidatedCluster extends FollowedCluster {
  readonly cluster: string;
}

/** A store or a cloud that has not said within this time where the API is counts as not answering. */
const ACCESS_TIMEOUT_MS = 30_000;

/** Finds out what is wrong with a running cluster, for as long as there is something and the time is not over. */
export async function validateCluster(
  context: ActionContext,
  { cluster: argument, choice = {}, ...waiting }: ValidateRequest,
): Promise<ValidatedCluster> {
  const { store, cluster, access } = await inPhase(context, 'find the API', () =>
    within(ACCESS_TIMEOUT_MS, 'find the API of the cluster', context.signal, async (signal) => {
      const chosen = await chooseCluster({ ...context, signal }, argument);
      const settings = hostSettings(context.env, undefined);
      const options = { signal, choice, env: context.env };
      return { ...chosen, access: await accessCluster(chosen.store, chosen.cluster, settings, options) };
    }),
  );
  const findings = await inPhase(context, 'wait until the cluster is valid', () =>
    waitUntilValid(context, { ...waiting, store, cluster, access, looksAtFoundations: true }),
  );
  return { cluster, ...findings };
}
