import { EvidenceRefused, type EvidenceVerifier } from '@kopsctl/node-cloud/machine-identity.ts';
import type { VerifierOptions } from '@kopsctl/node-cloud/node-part.ts';
import { audienceOf } from './audience.ts';
import { parseGceEvidence } from './gce-evidence.ts';
import { parseGceVerifierFacts } from './gce-verifier-facts.ts';
import { type GoogleKeys, openGoogleKeys } from './google-keys.ts';
import { isSignedBy, parseIdentityToken } from './identity-token.ts';
import { machineOfClaims } from './instance-claims.ts';

/** Verifies evidence of machines in GCE with Google's public keys. */
export function createGceEvidenceVerifier(
  { cluster, facts }: VerifierOptions,
  nowMs: () => number = Date.now,
): EvidenceVerifier {
  let known: { readonly project: string; readonly keys: GoogleKeys } | undefined;
  const learn = async (signal: AbortSignal) => {
    const { project, keysUrl } = parseGceVerifierFacts(await facts(signal));
    // Another call may have asked meanwhile. There is only one cache of keys.
    return (known ??= { project, keys: openGoogleKeys(keysUrl, nowMs) });
  };
  return {
    async verify(evidence, challenge, signal) {
      const token = parseIdentityToken(parseGceEvidence(evidence).token);
      const { project, keys } = known ?? (await learn(signal));
      const key = await keys.find(token.keyId, signal);
      if (key === undefined) throw new EvidenceRefused(`Google has no key ${token.keyId}`);
      if (!isSignedBy(token, key)) throw new EvidenceRefused('the signature of the token is wrong');
      return machineOfClaims(token.claims, { audience: audienceOf(cluster, challenge), project }, nowMs());
    },
  };
}
