import { list, object } from './field.ts';

/** A set of key pairs or other secrets, of which one is primary. */
export const keysetSpec = object({
  keys: list(
    object({ distrustTimestamp: 'string', id: 'string', privateMaterial: 'string', publicMaterial: 'string' }),
  ),
  primaryId: 'string',
  type: 'string',
});

/** A public key whose owner may log in to machines. */
export const sshCredentialSpec = object({ publicKey: 'string' });

/** A machine that joins by itself, without an instance group in a cloud. */
export const hostSpec = object({ instanceGroup: 'string', podCIDRs: list('string'), publicKey: 'string' });
