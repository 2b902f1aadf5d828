import { createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { HOST_FILES } from '@kopsctl/node-identity/host-files.ts';
import type { MachineIdentity } from '@kopsctl/node-cloud/machine-identity.ts';
import { readHostFacts } from './host-facts.ts';

/** A machine proves itself with the key that the person who enrolled it put there. */
export function metalIdentity(
  files: { readonly facts: string; readonly firstKey: string } = HOST_FILES,
): MachineIdentity {
  return {
    async evidence(challenge) {
      const { instanceId } = await readHostFacts(files.facts);
      return { instanceId, signature: sign('sha256', challenge, await firstKey(files.firstKey)).toString('base64url') };
    },
  };
}

async function firstKey(path: string): Promise<ReturnType<typeof createPrivateKey>> {
  try {
    return createPrivateKey(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new ActionableError({
      what: 'prove which machine this is',
      why: `${path} holds no key: ${messageOf(cause)}`,
      next: 'run `kopsctl toolbox enroll` for this machine again',
      cause,
    });
  }
}
