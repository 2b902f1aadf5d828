import { metadataEndpoint, openMetadata } from '@kopsctl/google/metadata.ts';
import { EvidenceRefused, type EvidenceVerifier } from '@kopsctl/node-cloud/machine-identity.ts';
import type { IdentityOptions } from '@kopsctl/node-cloud/node-part.ts';
import { audienceOf } from './audience.ts';
import { parseGceEvidence } from './gce-evidence.ts';
import { googleKeysUrl, openGoogleKeys } from './google-keys.ts';
import { isSignedBy, parseIdentityToken } from './identity-token.ts';
import { machineOfClaims } from './instance-claims.ts';

/** Verifies evidence of machines in GCE with Google's public keys. The project is the authority's own. */
export function createGceEvidenceVerifier(
  { cluster, env }: IdentityOptions,
  nowMs: () => number = Date.now,
): EvidenceVerifier {
  const metadata = openMetadata(metadataEndpoint(env));
  const keys = openGoogleKeys(googleKeysUrl(env), nowMs);
  let project: string | undefined;
  return {
    async verify(evidence, challenge, signal) {
      const token = parseIdentityToken(parseGceEvidence(evidence).token);
      const key = await keys.find(token.keyId, signal);
      if (key === undefined) throw new EvidenceRefused(`Google has no key ${token.keyId}`);
      if (!isSignedBy(token, key)) throw new EvidenceRefused('the signature of the token is wrong');
      project ??= await metadata.read('project/project-id', signal);
      return machineOfClaims(token.claims, { audience: audienceOf(cluster, challenge), project }, nowMs());
    },
  };
}
