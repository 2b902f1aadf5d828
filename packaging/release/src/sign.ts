import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { CHECKSUMS, printChecksums, SIGNATURE } from '@kopsctl/actions/release/checksums.ts';
import { SIGNATURE_NAMESPACE } from '@kopsctl/actions/release/ssh-signature.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { execa } from 'execa';

/** Lists the checksums of all files of the folder. */
export async function writeChecksums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== CHECKSUMS && name !== SIGNATURE);
  const hashes = new Map<string, string>();
  for (const name of names) hashes.set(name, await sha256OfFile(path.join(folder, name)));
  await writeFile(path.join(folder, CHECKSUMS), printChecksums(hashes));
}

/** Signs the list with an OpenSSH key, or by the agent that holds it. ssh-keygen asks for a passphrase itself. */
export async function sign(folder: string, key: string): Promise<void> {
  await rm(path.join(folder, SIGNATURE), { force: true });
  try {
    const keyFile = path.resolve(key);
    await execa('ssh-keygen', ['-q', '-Y', 'sign', '-n', SIGNATURE_NAMESPACE, '-f', keyFile, CHECKSUMS], {
      cwd: folder,
      stdio: ['inherit', 'ignore', 'pipe'],
    });
  } catch (cause) {
    throw new ActionableError({
      what: `sign ${path.join(folder, CHECKSUMS)} with ${key}`,
      why: messageOf(cause),
      next: 'name the file of an OpenSSH key; `ssh-keygen -t ed25519 -f release-key` makes one',
      cause,
    });
  }
}
