import { createPrivateKey, sign } from 'node:crypto';
import type { MachineKey } from '@kopsctl/node-identity/machine-key.ts';
import { createKeyPair } from '@kopsctl/pki/key-pair.ts';

/** A machine's key that is in no file. */
export async function ownKey(): Promise<MachineKey> {
  const { privateKeyPem, publicKey } = await createKeyPair();
  const key = createPrivateKey(privateKeyPem);
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    sign: (challenge) => sign('sha256', challenge, key),
  };
}
