import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parseSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';

/** Reads a secret of the state store. */
export async function readSecret(cluster: string, name: string, store: StateStore): Promise<string> {
  const path = secretPath(cluster, name);
  const stored = await store.read(path);
  const secret = stored && parseSecret(stored.bytes);
  if (secret !== undefined) return secret.toString('utf8');
  throw new ActionableError({
    what: `read the secret ${name} of ${cluster}`,
    why: `${path} ${stored === undefined ? 'is not' : 'holds no Data'} in ${store.url}`,
    next: `\`kopsctl create secret ${name} -f FILE\` writes it`,
  });
}
