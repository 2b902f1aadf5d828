import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { machineToken } from '@kopsctl/google/access-token.ts';
import { openGoogleApi } from '@kopsctl/google/google-api.ts';
import { metadataEndpoint, openMetadata } from '@kopsctl/google/metadata.ts';
import type { OpenStateKey, StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { kmsEndpoint, openCloudKms } from './cloud-kms.ts';
import { isCloudKmsKeyName } from './cloud-kms-key-name.ts';
import { cloudKmsStateKey } from './cloud-kms-state-key.ts';

/** Keys of Cloud KMS, used with the roles of this machine's service account, which it has for the keys that the spec names. */
export function machineStateKeys(env: Readonly<Record<string, string | undefined>>): OpenStateKey {
  const api = openGoogleApi(machineToken(openMetadata(metadataEndpoint(env)), Date.now));
  const opened = new Map<string, StateKey>();
  return async (name) => {
    // The name comes from the store: a name of another form could lead requests of this machine elsewhere.
    if (!isCloudKmsKeyName(name)) throw foreign(name);
    const key = opened.get(name) ?? cloudKmsStateKey(name, openCloudKms(name, api, kmsEndpoint(env)));
    opened.set(name, key);
    return key;
  };
}

const foreign = (name: string): ActionableError =>
  new ActionableError({
    what: `open what is sealed with ${JSON.stringify(name)}`,
    why: 'machines in GCE can open only what is sealed with a Cloud KMS key',
    next: 'name a Cloud KMS key in the annotation kopsctl.io/state-key of the cluster, then run `kopsctl apply --yes`',
  });
