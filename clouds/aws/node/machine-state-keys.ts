import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { OpenStateKey, StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { machineCredentials } from './credentials.ts';
import { isKmsKeyName } from './kms-key-name.ts';
import { openKmsStateKey } from './kms-state-key.ts';
import { metadataEndpoint, openMetadata } from './metadata.ts';

/** KMS keys, used with the rights of this machine's role, which are limited to the keys that the spec of its cluster names. */
export function machineStateKeys(env: Readonly<Record<string, string | undefined>>): OpenStateKey {
  const keysOf = machineCredentials(openMetadata(metadataEndpoint(env)), env, Date.now);
  const never = new AbortController().signal;
  const opened = new Map<string, StateKey>();
  return async (name) => {
    // The name comes from the store: a name that is not an ARN could lead requests of this machine to another host.
    if (!isKmsKeyName(name)) throw foreign(name);
    const key = opened.get(name) ?? openKmsStateKey(name, { env, credentials: (signal) => keysOf(signal ?? never) });
    opened.set(name, key);
    return key;
  };
}

const foreign = (name: string): ActionableError =>
  new ActionableError({
    what: `open what is sealed with ${JSON.stringify(name)}`,
    why: 'machines in AWS can open only what is sealed with a KMS key',
    next: 'name a KMS key in the annotation kopsctl.io/state-key of the cluster, then run `kopsctl apply --yes`',
  });
