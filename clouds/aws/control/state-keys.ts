import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { openKmsStateKey } from '../node/kms-state-key.ts';

/** A KMS key, used with the rights of the current user, whose credentials are found as AWS's own tools find them. */
export function personsStateKey(arn: string, env: Readonly<Record<string, string | undefined>>): StateKey {
  const credentials = defaultProvider();
  return openKmsStateKey(arn, { env, credentials: () => credentials() });
}
