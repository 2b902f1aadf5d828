import { openGoogleApi } from '@kopsctl/google/google-api.ts';
import { googleCredentials } from '@kopsctl/state-store/gcs/gcs-token.ts';
import type { StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { kmsEndpoint, openCloudKms } from '../node/cloud-kms.ts';
import { cloudKmsStateKey } from '../node/cloud-kms-state-key.ts';
import { GOOGLE_SCOPE, routeOfPerson } from './handlers/gce-cloud.ts';

/** A key of Cloud KMS, used with the rights of the current user, whose credentials are found as Google's programs find them. */
export function personsStateKey(name: string, env: Readonly<Record<string, string | undefined>>): StateKey {
  const { token, quotaProject } = googleCredentials(GOOGLE_SCOPE);
  const api = openGoogleApi(token, { ifUnanswered: routeOfPerson, quotaProject });
  return cloudKmsStateKey(name, openCloudKms(name, api, kmsEndpoint(env)));
}
