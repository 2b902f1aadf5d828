import { accountEmail } from '../account-email.ts';
import { ACCOUNT_NAMES } from '../model/service-accounts.ts';
import { LONGEST_ACCOUNT_ID, suffixed } from '../names.ts';
import type { GceCloud } from './gce-cloud.ts';
import { isForbidden } from './google-error.ts';

/** The accounts that clusters with this name make, whether they still exist or not. */
export const clusterAccounts = ({ clusterName, project }: GceCloud): ReadonlyMap<string, string> =>
  new Map(ACCOUNT_NAMES.map((name) => [name, accountEmail(suffixed(name, clusterName, LONGEST_ACCOUNT_ID), project)]));

/**
 * What is found about the cluster's own accounts. Where its machines act as an account of others, the cluster makes none,
 * and the person who applies it does not need permission to look for any.
 */
export async function ofOwnAccounts<Found>(
  { cluster }: GceCloud,
  find: () => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  try {
    return await find();
  } catch (thrown) {
    if (cluster.spec.cloudConfig?.gceServiceAccount !== undefined && isForbidden(thrown)) return [];
    throw thrown;
  }
}
