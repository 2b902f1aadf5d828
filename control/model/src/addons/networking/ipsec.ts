import type { ClusterFacts } from '../../cluster-facts.ts';
import { CILIUM_SECRET } from '../../store/brought-secrets.ts';
import type { AddonObject } from '../addon-object.ts';

/** The Secret of the keys in the cluster, by Cilium's and kops's name for it. */
export const IPSEC_SECRET = 'cilium-ipsec-keys';
/** Where the agents read the keys. */
export const IPSEC_DIR = '/etc/ipsec';

/**
 * Placeholder for the keys. protokube's leader replaces it with those of the secret, so that no manifest in the store holds them.
 */
const IPSEC_KEYS = '@{ciliumIpsecKeys}';

/** Whether Cilium encrypts traffic between machines with keys that a person brings. */
export function usesIpsec({ spec }: Pick<ClusterFacts, 'spec'>): boolean {
  const { enableEncryption, encryptionType } = spec.networking?.cilium ?? {};
  return enableEncryption === true && encryptionType === 'ipsec';
}

/** The keys in the cluster. With other keys the manifest changes too, so that they are applied. */
export const ipsecKeys = ({ secrets }: ClusterFacts): AddonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: IPSEC_SECRET,
    namespace: 'kube-system',
    annotations: { 'kopsctl.io/ciliumpassword-sha256': secrets[CILIUM_SECRET] ?? '' },
  },
  stringData: { keys: IPSEC_KEYS },
});
