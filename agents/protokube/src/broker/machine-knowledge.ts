import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { MachineKnowledge } from '@kopsctl/node-identity/broker-messages.ts';
import type { GroupRights } from '@kopsctl/node-plan/authority-groups.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import { parseKeyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parseSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';

const CLUSTER_CA = 'kubernetes-ca';

/** What machines with these rights are told: none of the store's other secrets, and only the public half of keysets. */
export async function machineKnowledge(
  cluster: string,
  rights: GroupRights,
  store: StateStore,
  signal: AbortSignal,
): Promise<MachineKnowledge> {
  const [clusterCa, secrets, authorities] = await Promise.all([
    readAuthority(cluster, CLUSTER_CA, store, signal),
    byName(rights.secrets, (name) => readSecret(cluster, name, store, signal)),
    byName(rights.authorities, (name) => readAuthority(cluster, name, store, signal)),
  ]);
  return { clusterCa, secrets, authorities };
}

async function byName(
  names: readonly string[],
  read: (name: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}

/** The certificates of a keyset. */
async function readAuthority(cluster: string, name: string, store: StateStore, signal: AbortSignal): Promise<string> {
  const path = publishedKeysetPath(cluster, name);
  const stored = await store.read(path, signal);
  if (stored === undefined) throw missing(path, store);
  return trustedCertificates(parseKeyset(Buffer.from(stored.bytes).toString('utf8'), path));
}

async function readSecret(cluster: string, name: string, store: StateStore, signal: AbortSignal): Promise<string> {
  const path = secretPath(cluster, name);
  const stored = await store.read(path, signal);
  const secret = stored && parseSecret(stored.bytes);
  if (secret === undefined) throw missing(path, store);
  return secret.toString('utf8');
}

const missing = (path: string, store: StateStore): ActionableError =>
  new ActionableError({
    what: 'tell a machine what it needs to know',
    why: `${path} is not in ${store.url}, or is empty`,
    next: '`kopsctl update cluster --yes` writes what is missing',
  });
