import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { createKeyPair } from '@kopsctl/pki/key-pair.ts';

/** What an authority knows a machine by after its first proof: the holder of this key is that machine. */
export interface MachineKey {
  /** DER of SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  sign(challenge: Uint8Array): Buffer;
}

/** The key in this file, which root alone may read. It is made at the first call, and never leaves the machine. */
export async function openMachineKey(path: string): Promise<MachineKey> {
  const pem = (await readKey(path)) ?? (await create(path));
  const key = createPrivateKey(pem);
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }),
    sign: (challenge) => sign('sha256', challenge, key),
  };
}

async function readKey(path: string): Promise<string | undefined> {
  const text = await ifThere(readFile(path, 'utf8'));
  // A power failure can leave an empty file. Nothing was proven with its key.
  return text?.trim() === '' ? undefined : text;
}

async function create(path: string): Promise<string> {
  const { privateKeyPem } = await createKeyPair();
  await replaceFile(path, privateKeyPem, { mode: 0o600, folderMode: 0o755 });
  return privateKeyPem;
}

/** The short form of a key in records and logs. */
export const fingerprint = (publicKey: Uint8Array): string =>
  createHash('sha256').update(publicKey).digest('base64url');
