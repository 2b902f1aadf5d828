import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { parseIpsecKeys } from '@kopsctl/node-plan/ipsec-keys.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import { parseKeyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { parseSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ApplyEnv } from './apply-addon.ts';

const CILIUM_SECRET = 'ciliumpassword';
const CILIUM_ETCD_CA = 'etcd-clients-ca-cilium';
const NODE_AUTHORITY_CA = 'node-authority-ca';
const KUBELET_SERVING_CA = 'kubelet-serving-ca';

/**
 * What manifests contain of the secrets and keysets of the cluster. It is filled in on the way to the API server and is not
 * written down anywhere.
 */
export function storeFacts(cluster: string, store: StateStore): ApplyEnv['facts'] {
  return {
    ciliumIpsecKeys: (signal) => ipsecKeys(cluster, store, signal),
    ciliumEtcdAuthorities: (signal) => certificatesOf(CILIUM_ETCD_CA, cluster, store, signal),
    nodeAuthorityCa: (signal) => certificatesOf(NODE_AUTHORITY_CA, cluster, store, signal),
    kubeletServingCa: (signal) => certificatesOf(KUBELET_SERVING_CA, cluster, store, signal),
  };
}

/** The certificates of a keyset, as base64 of PEM. */
async function certificatesOf(name: string, cluster: string, store: StateStore, signal: AbortSignal): Promise<string> {
  const path = publishedKeysetPath(cluster, name);
  const stored = await store.read(path, signal);
  if (stored === undefined) {
    throw new ActionableError({
      what: `read the certificates of ${name}`,
      why: `${path} is not in ${store.url}`,
      next: '`kopsctl update cluster --yes` writes it',
    });
  }
  const keyset = parseKeyset(Buffer.from(stored.bytes).toString('utf8'), path);
  return Buffer.from(trustedCertificates(keyset)).toString('base64');
}

async function ipsecKeys(cluster: string, store: StateStore, signal: AbortSignal): Promise<string> {
  const path = secretPath(cluster, CILIUM_SECRET);
  const refuse = (why: string) =>
    new ActionableError({
      what: `read the keys of Cilium in ${path}`,
      why,
      next: `store them, as \`keys: 3+ rfc4106(gcm(aes)) HEX 128\`: kopsctl create secret ${CILIUM_SECRET} -f FILE --force`,
    });
  const stored = await store.read(path, signal);
  if (stored === undefined) throw refuse(`${store.url} does not hold it`);
  const keys = parseIpsecKeys(parseSecret(stored.bytes)?.toString('utf8') ?? '');
  if (keys === undefined) throw refuse('it holds no keys in the form of kops');
  return keys;
}
