import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { SshLogin } from './journals-by-ssh.ts';

/** A login whose key ssh can read: `~` is the person's home. @throws ActionableError if the key cannot be read */
export async function withReadableKey(login: SshLogin): Promise<SshLogin> {
  if (login.keyFile === undefined) return login;
  const keyFile = login.keyFile.replace(/^~(?=\/)/, homedir());
  try {
    await access(keyFile, constants.R_OK);
  } catch (cause) {
    throw new ActionableError({
      what: `read the private key ${login.keyFile}`,
      why: messageOf(cause),
      next: 'name the file of the key with --private-key; without it, the keys of your SSH agent are used',
      cause,
    });
  }
  return { ...login, keyFile };
}
