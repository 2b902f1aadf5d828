import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Entry, StateStore } from '@kopsctl/state-store/store.ts';
import { parseSecret, printSecret, secretFolder, secretPath } from '@kopsctl/state-store/stored-secret.ts';

/** Secrets that people bring; kops keeps each under this name, except the keys of etcd's backups and of a name server, which are ours. */
const SECRET_KINDS = [
  'ciliumpassword',
  'dns-update-key',
  'dockerconfig',
  'encryptionconfig',
  'etcd-backup-key',
] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

/** Stores a secret in kops's form. One that exists is replaced only when asked, and only as it was read. */
export async function storeSecret(
  store: StateStore,
  cluster: string,
  secret: { readonly kind: SecretKind; readonly data: Uint8Array; readonly force: boolean },
): Promise<'created' | 'replaced' | 'unchanged'> {
  const path = secretPath(cluster, secret.kind);
  const body = new TextEncoder().encode(printSecret(secret.data));
  const stored = await store.read(path);
  if (stored === undefined) {
    await store.write(path, body, { ifAbsent: true });
    return 'created';
  }
  if (Buffer.compare(stored.bytes, body) === 0) return 'unchanged';
  if (!secret.force) {
    throw new ActionableError({
      what: `create the secret ${secret.kind} of ${cluster}`,
      why: 'it already exists with different contents',
      next: 'add --force to replace it',
    });
  }
  await store.write(path, body, { ifVersion: stored.version });
  return 'replaced';
}

/** The names of a cluster's secrets; never what is in them. */
export async function listSecrets(store: StateStore, cluster: string): Promise<readonly string[]> {
  const folder = `${secretFolder(cluster)}/`;
  const entries = await store.list(secretFolder(cluster));
  return entries.map(({ path }) => path.slice(folder.length));
}

/** Where a secret is, and which version of it is there. @throws ActionableError where there is no such secret. */
export async function findSecret(store: StateStore, cluster: string, name: string): Promise<Entry> {
  const path = secretPath(cluster, name);
  // Listed, not read: one that nobody can open any more can still be deleted.
  const listed = await store.list(secretFolder(cluster));
  const stored = listed.find((entry) => entry.path === path);
  if (stored === undefined) {
    const names = await listSecrets(store, cluster);
    throw unknownSecret(`delete the secret ${name} of ${cluster}`, names);
  }
  return stored;
}

/** What is in a secret. @throws ActionableError where there is no such secret, or it cannot be read */
export async function readSecret(store: StateStore, cluster: string, name: string): Promise<Buffer> {
  const what = `show the secret ${name} of ${cluster}`;
  const stored = await store.read(secretPath(cluster, name));
  if (stored === undefined) {
    throw KOPS_TOKENS.has(name) ? noToken(what, cluster) : unknownSecret(what, await listSecrets(store, cluster));
  }
  const data = parseSecret(stored.bytes);
  if (data !== undefined) return data;
  throw new ActionableError({
    what,
    why: `${store.url}/${secretPath(cluster, name)} is not in the form of kops's secrets`,
    next: 'delete it with `kopsctl delete secret`, and create it again',
  });
}

/**
 * Tokens that kops makes for each cluster (upup/pkg/fi/cloudup/apply_cluster.go: GetKubernetesAuthTokens_Deprecated), of
 * which its documentation tells people to read `admin`. A cluster that kops made has them; kopsctl makes none.
 */
const KOPS_TOKENS: ReadonlySet<string> = new Set([
  'admin',
  'kube',
  'kube-proxy',
  'kubelet',
  'system:controller_manager',
  'system:dns',
  'system:logging',
  'system:monitoring',
  'system:scheduler',
]);

const noToken = (what: string, cluster: string): ActionableError =>
  new ActionableError({
    what,
    why: 'kops makes a token of that name; kopsctl does not, because a token never expires: everyone has a certificate instead',
    next: `write the certificate of an administrator into the kubeconfig with \`kopsctl export kubeconfig ${cluster} --admin\``,
  });

export const unknownSecret = (what: string, names: readonly string[]): ActionableError =>
  new ActionableError({
    what,
    why: 'not found',
    next: `check the name; existing secrets: ${names.join(', ') || 'none'}`,
  });
