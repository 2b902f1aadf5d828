import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { EvidenceRefused, type EvidenceVerifier } from '@kopsctl/node-cloud/machine-identity.ts';
import { roleCredentials } from '../credentials.ts';
import { metadataEndpoint, openMetadata } from '../metadata.ts';
import { signRequest } from '../sign-request.ts';
import { askSts, StsRefusal } from './ask-sts.ts';
import { parseAwsEvidence } from './aws-evidence.ts';
import { callerIdentityRequest, type Sts } from './caller-identity-request.ts';
import { accountOf, type AwsAccount, machineOf } from './caller-identity.ts';
import { openSts } from './open-sts.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Verifies evidence of machines in AWS by asking STS. Its region is the authority's own: a cluster has one, so there is
 * no reason to ask a server that the evidence chooses. So is the account, which STS names for the authority's own role.
 */
export function createAwsEvidenceVerifier(env: Env, nowMs: () => number = Date.now): EvidenceVerifier {
  const metadata = openMetadata(metadataEndpoint(env));
  const credentials = roleCredentials(metadata, nowMs);
  const http = openHttp();
  let sts: Sts | undefined;
  let account: AwsAccount | undefined;

  const askOwnAccount = async (at: Sts, signal: AbortSignal): Promise<AwsAccount> => {
    const signed = signRequest(callerIdentityRequest(at), await credentials(signal), nowMs());
    try {
      return accountOf(await askSts(at, signed, undefined, { http, signal }));
    } catch (thrown) {
      throw thrown instanceof StsRefusal ? unbelieved(thrown) : thrown;
    }
  };

  return {
    async verify(value, challenge, signal) {
      const evidence = parseAwsEvidence(value, nowMs());
      sts ??= await openSts(metadata, env, signal);
      if (evidence.region !== sts.region) {
        throw new EvidenceRefused(`it is for STS in ${evidence.region}, and the cluster is in ${sts.region}`);
      }
      account ??= await askOwnAccount(sts, signal);
      try {
        return machineOf(await askSts(sts, evidence, challenge, { http, signal }), account);
      } catch (thrown) {
        throw thrown instanceof StsRefusal ? new EvidenceRefused(thrown.message) : thrown;
      }
    },
  };
}

const unbelieved = (cause: StsRefusal): ActionableError =>
  new ActionableError({
    what: 'find out in which account this machine is',
    why: cause.message,
    next: "check the machine's clock (`timedatectl`) and its role (`aws sts get-caller-identity` on it)",
    cause,
  });
