import { openGoogleApi } from '@kopsctl/google/google-api.ts';
import { googleToken } from '@kopsctl/state-store/gcs/gcs-token.ts';
import type { StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { kmsEndpoint, openCloudKms } from '../node/cloud-kms.ts';
import { cloudKmsStateKey } from '../node/cloud-kms-state-key.ts';
import { GOOGLE_SCOPE, routeOfPerson } from './handlers/gce-cloud.ts';

/** A key of Cloud KMS, used with the rights of the current user, whose credentials are found as Google's programs find them. */
export function personsStateKey(name: string, env: Readonly<Record<string, string | undefined>>): StateKey {
  const api = openGoogleApi(googleToken(GOOGLE_SCOPE), routeOfPerson);
  return cloudKmsStateKey(name, openCloudKms(name, api, kmsEndpoint(env)));
}
