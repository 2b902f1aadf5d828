import { verifyRelease } from '@kopsctl/actions/verify-release.ts';
import { writeDocument, writeErr, writeOut } from '../output/terminal.ts';

export interface VerifyOptions {
  /** The file with the public key. */
  readonly key: string;
  readonly output: 'text' | 'json';
}

/** Prints of each file of a release whether it is what was signed. */
export async function verify(target: string, { key, output }: VerifyOptions): Promise<number> {
  const files = await verifyRelease(target, key);
  const bad = files.filter(({ fault }) => fault !== undefined).length;
  if (output === 'json') writeDocument(`${JSON.stringify({ verified: bad === 0, files }, null, 2)}\n`);
  else writeOut(files.map(({ name, fault }) => `${name}: ${fault ?? 'verified'}\n`).join(''));
  if (bad === 0) return 0;
  writeErr(`${bad} of ${files.length} files are not verified: do not use them\n`);
  return 1;
}
