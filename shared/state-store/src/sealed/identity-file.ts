import { open } from 'node:fs/promises';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** The size limit for a file of age-keygen, far more than a person has. */
const MAX_BYTES = 64 * 1024;
const OTHERS = 0o077;

/**
 * Reads the age identities in a file: one per line, as age-keygen writes them, with comments between them.
 *
 * @throws ActionableError if others may read the file, or it holds something else. The error never quotes it
 */
export async function readIdentityFile(path: string): Promise<readonly string[]> {
  const refuse = (why: string, next: string): ActionableError =>
    new ActionableError({ what: `read the identity of age in ${path}`, why, next });
  let text: string;
  let mode: number;
  try {
    await using file = await open(path, 'r');
    const stat = await file.stat();
    mode = stat.mode;
    if (stat.size > MAX_BYTES) throw refuse('it is not a file of identities: it is too large', NAME_IT);
    text = await file.readFile('utf8');
  } catch (thrown) {
    if (thrown instanceof ActionableError) throw thrown;
    throw refuse(codeOf(thrown) === 'ENOENT' ? 'there is no such file' : messageOf(thrown), NAME_IT);
  }
  if ((mode & OTHERS) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    throw refuse(`users other than its owner have access to it (mode ${octal})`, `\`chmod 600 ${path}\``);
  }
  return parseIdentities(text, (why) => refuse(why, NAME_IT));
}

const NAME_IT = 'set KOPSCTL_STATE_IDENTITY to the file of your identity, or create one: `age-keygen -o FILE`';

/** @param refuse makes the error. It is never told what a line holds */
export function parseIdentities(text: string, refuse: (why: string) => Error): readonly string[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const identities = lines.filter(({ line }) => line !== '' && !line.startsWith('#'));
  for (const { line, number } of identities) {
    // Bech32 of 32 bytes: 52 characters, and 6 of a checksum.
    if (!/^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/.test(line)) throw refuse(`line ${number} is not an X25519 identity`);
  }
  if (identities.length === 0) throw refuse('it holds no identity');
  return identities.map(({ line }) => line);
}
