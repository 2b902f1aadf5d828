import { generateX25519Identity, identityToRecipient } from 'age-encryption';

/** An identity of age as age-keygen makes them, and its recipient. */
export async function newIdentity(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}
