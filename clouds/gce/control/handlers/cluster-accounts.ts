import { accountEmail } from '../account-email.ts';
import { ACCOUNT_NAMES } from '../model/service-accounts.ts';
import { LONGEST_ACCOUNT_ID, suffixed } from '../names.ts';
import type { GceCloud } from './gce-cloud.ts';

/** The accounts that clusters with this name make, whether they still exist or not. */
export const clusterAccounts = ({ clusterName, project }: GceCloud): ReadonlyMap<string, string> =>
  new Map(ACCOUNT_NAMES.map((name) => [name, accountEmail(suffixed(name, clusterName, LONGEST_ACCOUNT_ID), project)]));
