import type { MachineIdentity } from '@kopsctl/node-cloud/machine-identity.ts';
import { roleCredentials } from '../credentials.ts';
import { metadataEndpoint, openMetadata } from '../metadata.ts';
import { signRequest } from '../sign-request.ts';
import type { AwsEvidence } from './aws-evidence.ts';
import { callerIdentityRequest, type Sts } from './caller-identity-request.ts';
import { openSts } from './open-sts.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * A machine in AWS proves which one it is with the keys of its role. Keys in the environment, which may be those of a
 * state store elsewhere, prove nothing of the machine and are not used.
 */
export function createAwsMachineIdentity(env: Env, nowMs: () => number = Date.now): MachineIdentity {
  const metadata = openMetadata(metadataEndpoint(env));
  const credentials = roleCredentials(metadata, nowMs);
  let sts: Sts | undefined;
  return {
    async evidence(challenge, signal): Promise<AwsEvidence> {
      sts ??= await openSts(metadata, env, signal);
      const keys = await credentials(signal);
      const signed = signRequest(callerIdentityRequest(sts, challenge), keys, nowMs());
      return { region: sts.region, ...signed, sessionToken: keys.sessionToken };
    },
  };
}
