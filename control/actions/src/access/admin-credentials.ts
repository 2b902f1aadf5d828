import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { parseKeyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ADMIN_LIFETIME_HOURS } from './admin-lifetime.ts';

/** What a client needs to speak to a cluster's API server as an administrator. All PEM. */
export interface AdminCredentials {
  readonly caPem: string;
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Issues a client certificate in group system:masters from the cluster's CA. */
export async function issueAdminCredentials(
  store: StateStore,
  cluster: string,
  nowMs: number,
  lifetimeMs = ADMIN_LIFETIME_HOURS * 60 * 60 * 1000,
): Promise<AdminCredentials> {
  const path = `${cluster}/pki/private/kubernetes-ca/keyset.yaml`;
  const stored = await store.read(path);
  if (stored === undefined) {
    throw new ActionableError({
      what: `issue an administrator certificate for ${cluster}`,
      why: `${store.url} does not hold ${path}`,
      next: `run \`kopsctl apply --name ${cluster} --yes\`, which makes the cluster's certificate authorities`,
    });
  }
  const keyset = parseKeyset(new TextDecoder().decode(stored.bytes));
  const { issueLeaf } = await import('@kopsctl/pki/issue.ts');
  const leaf = await issueLeaf({
    authority: keyset,
    commonName: 'kubecfg',
    organizations: ['system:masters'],
    dnsNames: [],
    ipAddresses: [],
    usages: ['client'],
    validityDays: lifetimeMs / (24 * 60 * 60 * 1000),
    nowMs,
  });
  return {
    caPem: trustedCertificates(keyset),
    certificatePem: leaf.certificatePem,
    privateKeyPem: leaf.privateKeyPem,
  };
}
