import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { type Keyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import type { RecordTrust } from '@kopsctl/gossip/records/signed/signed-records.ts';

/** An authority for the names of one cluster. */
export const namesAuthority = (): Promise<Keyset> =>
  createCertificateAuthority({ commonName: 'gossip-records-ca', nowMs: Date.now() });

/** What a control plane signs its names with. */
export async function certified(
  authority: Keyset,
  name: string,
  addresses: readonly string[],
): Promise<Required<RecordTrust>> {
  const identity = await issueLeaf({
    authority,
    commonName: name,
    organizations: ['ControlPlane'],
    ipAddresses: addresses,
    usages: ['client'],
    validityDays: 1,
    nowMs: Date.now(),
  });
  return { authoritiesPem: trustedCertificates(authority), identity };
}
