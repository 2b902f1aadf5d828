import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { CHECKSUMS, parseChecksums, SIGNATURE } from './release/checksums.ts';
import { readBounded, sha256Bounded } from './release/read-bounded.ts';
import { parsePublicKey } from './release/ssh-key.ts';
import { checkSignature } from './release/ssh-signature.ts';

export interface VerifiedFile {
  readonly name: string;
  /** Why it is not verified. */
  readonly fault?: string;
}

const MAX_LIST_BYTES = 1 << 20;
const MAX_SIGNATURE_BYTES = 16 << 10;
const MAX_KEY_BYTES = 16 << 10;

/**
 * Checks a folder with a release, or one file of it, against the list of checksums beside it, after the list's signature
 * by the given key. In a folder each listed file must be there, and no other.
 *
 * @throws ActionableError where the list itself cannot be trusted: then no file is looked at
 */
export async function verifyRelease(target: string, keyFile: string): Promise<readonly VerifiedFile[]> {
  const isFolder = await explained(target, target, async () => (await stat(target)).isDirectory());
  const folder = isFolder ? target : dirname(target);
  const hashes = await trustedList(target, folder, keyFile);
  if (!isFolder) return [await verifyOne(folder, basename(target), hashes)];
  const known = new Set([CHECKSUMS, SIGNATURE, ...hashes.keys()]);
  const others = (await readdir(folder)).filter((name) => !known.has(name)).toSorted();
  const verified: VerifiedFile[] = [];
  for (const name of hashes.keys()) verified.push(await verifyOne(folder, name, hashes));
  return [...verified, ...others.map((name) => ({ name, fault: NOT_LISTED }))];
}

const NOT_LISTED = `${CHECKSUMS} does not list it`;

/** The list, read once: what is trusted is what was signed. */
async function trustedList(target: string, folder: string, keyFile: string): Promise<ReadonlyMap<string, string>> {
  const key = await explained(target, `the key ${keyFile}`, async () =>
    parsePublicKey((await readBounded(keyFile, MAX_KEY_BYTES)).toString('utf8')),
  );
  const listFile = join(folder, CHECKSUMS);
  const list = await explained(target, listFile, () => readBounded(listFile, MAX_LIST_BYTES));
  const signatureFile = join(folder, SIGNATURE);
  await explained(target, `the signature ${signatureFile}`, async () =>
    checkSignature(list, (await readBounded(signatureFile, MAX_SIGNATURE_BYTES)).toString('latin1'), key),
  );
  return explained(target, listFile, async () => parseChecksums(list.toString('utf8')));
}

async function verifyOne(folder: string, name: string, hashes: ReadonlyMap<string, string>): Promise<VerifiedFile> {
  const wanted = hashes.get(name);
  if (wanted === undefined) return { name, fault: NOT_LISTED };
  try {
    const found = await sha256Bounded(join(folder, name));
    return found === wanted ? { name } : { name, fault: `its SHA-256 is ${found}, and ${CHECKSUMS} says ${wanted}` };
  } catch (error) {
    return { name, fault: `it ${messageOf(error)}` };
  }
}

async function explained<T>(target: string, subject: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw new ActionableError({
      what: `verify ${target}`,
      why: `${subject} ${messageOf(cause)}`,
      next: `fetch the file, ${CHECKSUMS} and ${SIGNATURE} of the same release into one folder again; compare the key with the one its makers publish`,
      cause,
    });
  }
}
