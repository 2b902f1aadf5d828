import { createHash } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import {
  CILIUM_SECRET,
  DOCKER_CONFIG_SECRET,
  ENCRYPTION_CONFIG_SECRET,
  type SecretHashes,
} from '@kopsctl/model/store/brought-secrets.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parseSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';

const NAMES = [CILIUM_SECRET, DOCKER_CONFIG_SECRET, ENCRYPTION_CONFIG_SECRET];

/** Which secrets people have brought that plans and addons depend on. */
export async function secretHashes(store: StateStore, cluster: string): Promise<SecretHashes> {
  const found = await Promise.all(NAMES.map(async (name) => ({ name, hash: await hashOf(store, cluster, name) })));
  return Object.fromEntries(found.flatMap(({ name, hash }) => (hash === undefined ? [] : [[name, hash]])));
}

async function hashOf(store: StateStore, cluster: string, name: string): Promise<string | undefined> {
  const path = secretPath(cluster, name);
  const stored = await store.read(path);
  if (stored === undefined) return undefined;
  const secret = parseSecret(stored.bytes);
  if (secret !== undefined) return createHash('sha256').update(secret).digest('hex');
  throw new ActionableError({
    what: `read the secret ${path}`,
    why: 'it is not in the form of kops, JSON {"Data": base64}',
    next: `store it again: \`kopsctl create secret ${name} -f FILE --force\``,
  });
}
