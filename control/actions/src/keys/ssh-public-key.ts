import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import type { Entry, StateStore } from '@kopsctl/state-store/store.ts';
import { readInputText } from '../files/read-input.ts';

/** A public key as ~/.ssh/id_rsa.pub holds it, and the name kops keeps it under. */
export interface SshPublicKey {
  readonly text: string;
  /** MD5 of the key, in hexadecimal. */
  readonly fingerprint: string;
}

/** The user of a cluster's SSH keys in kops's store. */
const SSH_USER = 'admin';

/** Where kops keeps a public key: by its fingerprint, without colons. */
export const sshPublicKeyPath = (cluster: string, { fingerprint }: SshPublicKey): string =>
  `${sshPublicKeyFolder(cluster)}/${fingerprint}`;

export const sshPublicKeyFolder = (cluster: string): string => `${cluster}/pki/ssh/public/${SSH_USER}`;

/** The fingerprint of the key that is at a path of that folder. */
export const fingerprintIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Where a key is, and which version of it is there. @throws ActionableError where the cluster has no such key */
export async function findSshPublicKey(store: StateStore, cluster: string, key: SshPublicKey): Promise<Entry> {
  const listed = await store.list(sshPublicKeyFolder(cluster));
  const found = listed.find(({ path }) => path === sshPublicKeyPath(cluster, key));
  if (found !== undefined) return found;
  const others = listed.map(({ path }) => fingerprintIn(path));
  throw new ActionableError({
    what: `delete sshpublickey/${key.fingerprint} of ${cluster}`,
    why: 'not found',
    next: `check the file; existing keys: ${others.join(', ') || 'none'}`,
  });
}

/** Reads a key's text. @throws ActionableError where it is none, naming `source`. */
export function parseSshPublicKey(text: string, source: string): SshPublicKey {
  const [type = '', data = ''] = text.trim().split(/\s+/);
  const blob = Buffer.from(data, 'base64');
  // The blob begins with its own type, as a length and that many letters (RFC 4253, 6.6).
  const named = blob.length > 4 ? blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1') : '';
  if (type === '' || named !== type) {
    throw new ActionableError({
      what: `read the SSH public key ${source}`,
      why: text.includes('PRIVATE KEY') ? 'it is a private key' : 'it is not of the form `ssh-ed25519 AAAA… comment`',
      next: 'name the public half, e.g. ~/.ssh/id_ed25519.pub',
    });
  }
  return { text: `${text.trim()}\n`, fingerprint: createHash('md5').update(blob).digest('hex') };
}

/** Reads a key from a file; `~` is the person's home. */
export async function readSshPublicKey(file: string, env: NodeJS.ProcessEnv): Promise<SshPublicKey> {
  const path = file.replace(/^~(?=\/)/, homedir());
  let text: string;
  try {
    text = await readInputText(path, env);
  } catch (error) {
    throw new ActionableError({
      what: `read the SSH public key ${file}`,
      why: error instanceof ActionableError ? error.why : messageOf(error),
      next: 'name a file that exists, or make a key with `ssh-keygen -t ed25519`',
      cause: error,
    });
  }
  return parseSshPublicKey(text, file);
}

/** The key of an SSHCredential. */
export function publicKeyOf({ value }: Pick<ParsedObject, 'value'>): string {
  // parseObjects has checked it against the schema of its kind.
  const { spec } = value as { readonly spec?: { readonly publicKey?: string } };
  return spec?.publicKey ?? '';
}
