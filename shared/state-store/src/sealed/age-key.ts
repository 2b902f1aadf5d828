import { Decrypter, Encrypter } from 'age-encryption';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { DATA_KEY_BYTES } from './envelope.ts';
import type { StateKey } from './state-key.ts';

/**
 * An age key (age-encryption.org): the holder of the identity of one of the recipients can open what is sealed, and
 * sealing needs no identity. A wrapped data key is an age file, which `age --decrypt` opens too.
 *
 * @param name the recipients, separated by commas
 * @param readIdentities reads the identities of this process, when something is opened. They are not kept
 */
export function ageKey(name: string, readIdentities: () => Promise<readonly string[]>): StateKey {
  return {
    name,

    async wrap(dataKey) {
      const encrypter = new Encrypter();
      try {
        for (const recipient of name.split(',')) encrypter.addRecipient(recipient);
      } catch (cause) {
        throw new ActionableError({
          what: `seal with ${name}`,
          why: 'it holds something other than recipients of age: its checksum is wrong',
          next: 'copy the recipient again: `age-keygen -y FILE` prints it',
          cause,
        });
      }
      return encrypter.encrypt(dataKey);
    },

    async unwrap(wrapped) {
      const decrypter = new Decrypter();
      for (const identity of await readIdentities()) addIdentity(decrypter, identity, name);
      let dataKey: Uint8Array;
      try {
        dataKey = await decrypter.decrypt(wrapped);
      } catch (cause) {
        throw refused(name, 'none of the identities here is one of its recipients, or it is damaged', cause);
      }
      if (dataKey.byteLength !== DATA_KEY_BYTES) throw refused(name, 'what it wraps is not a data key');
      return dataKey;
    },
  };
}

function addIdentity(decrypter: Decrypter, identity: string, name: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch {
    // Its error quotes the identity, so it is not passed on as the cause.
    throw refused(name, 'an identity here has a wrong checksum');
  }
}

const refused = (name: string, why: string, cause?: unknown): ActionableError =>
  new ActionableError({
    what: `open a data key that is wrapped for ${name}`,
    why,
    next: 'set KOPSCTL_STATE_IDENTITY to the file with the identity of one of these recipients',
    ...(cause === undefined ? {} : { cause }),
  });
