import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { metadataEndpoint, openMetadata } from '@kopsctl/google/metadata.ts';
import type { MachineIdentity } from '@kopsctl/node-cloud/machine-identity.ts';
import type { IdentityOptions } from '@kopsctl/node-cloud/node-part.ts';
import { audienceOf } from './audience.ts';
import type { GceEvidence } from './gce-evidence.ts';

/** A machine in GCE proves which one it is by a token that Google signs for its metadata server. */
export function createGceMachineIdentity({ cluster, env }: IdentityOptions): MachineIdentity {
  const metadata = openMetadata(metadataEndpoint(env));
  return {
    async evidence(challenge, signal): Promise<GceEvidence> {
      const query = new URLSearchParams({ audience: audienceOf(cluster, challenge), format: 'full' });
      const token = await metadata.find(`instance/service-accounts/default/identity?${query.toString()}`, signal);
      if (token !== undefined) return { token };
      throw new ActionableError({
        what: 'prove which machine this is',
        why: 'it has no service account, so Google signs nothing for it',
        next: 'add one to its instance template; for a stopped machine: `gcloud compute instances set-service-account`',
      });
    },
  };
}
