import { openHttp } from '@kopsctl/http/http.ts';
import { EvidenceRefused, type EvidenceVerifier } from '@kopsctl/node-cloud/machine-identity.ts';
import type { VerifierOptions } from '@kopsctl/node-cloud/node-part.ts';
import { askSts, StsRefusal } from './ask-sts.ts';
import { parseAwsEvidence } from './aws-evidence.ts';
import { type AwsVerifierFacts, parseAwsVerifierFacts } from './aws-verifier-facts.ts';
import { machineOf } from './caller-identity.ts';

/** Verifies evidence of machines in AWS by asking STS. That needs no permission: the machine has signed the request. */
export function createAwsEvidenceVerifier(
  { facts }: Pick<VerifierOptions, 'facts'>,
  nowMs: () => number = Date.now,
): EvidenceVerifier {
  const http = openHttp();
  let known: AwsVerifierFacts | undefined;
  return {
    async verify(value, challenge, signal) {
      const evidence = parseAwsEvidence(value, nowMs());
      const { sts, account } = (known ??= parseAwsVerifierFacts(await facts(signal)));
      if (evidence.region !== sts.region) {
        throw new EvidenceRefused(`it is for STS in ${evidence.region}, and the cluster is in ${sts.region}`);
      }
      try {
        return machineOf(await askSts(sts, evidence, challenge, { http, signal }), account);
      } catch (thrown) {
        throw thrown instanceof StsRefusal ? new EvidenceRefused(thrown.message) : thrown;
      }
    },
  };
}
