import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { CHECKSUMS, parseChecksums, SIGNATURE } from '@kopsctl/actions/release/checksums.ts';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** What every file of a release but the list and its signature is called. */
const ARTEFACT = /^(?:kopsctl|kops-agents)[-_]/;

/**
 * Refuses a folder that a new release may not replace: all that is in it would be deleted. An earlier release has
 * nothing but the files that its list of checksums names.
 */
export async function refuseOthersThanRelease(folder: string): Promise<void> {
  const files = await filesIn(folder);
  if (files.length === 0) return;
  if (!files.includes(CHECKSUMS)) throw notReplaceable(folder, `it has no ${CHECKSUMS}, so it is not a release`);
  const list = path.join(folder, CHECKSUMS);
  let listed: ReadonlyMap<string, string>;
  try {
    listed = parseChecksums(await readFile(list, 'utf8'));
  } catch (cause) {
    throw notReplaceable(folder, `${list} ${messageOf(cause)}`, cause);
  }
  refuseOthers(folder, files, (name) => ARTEFACT.test(name) && listed.has(name));
}

/** The same for the folder of a release that was not finished, which has no list yet. */
export async function refuseOthersThanUnfinished(folder: string): Promise<void> {
  refuseOthers(folder, await filesIn(folder), (name) => ARTEFACT.test(name));
}

function refuseOthers(folder: string, files: readonly string[], isOurs: (name: string) => boolean): void {
  const others = files.filter((name) => name !== CHECKSUMS && name !== SIGNATURE && !isOurs(name));
  if (others.length === 0) return;
  throw notReplaceable(folder, `it has files that are not of a release (${others.toSorted().slice(0, 3).join(', ')})`);
}

/** By name; a folder ends in a slash, which no file of a release does. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return [];
    throw notReplaceable(folder, messageOf(cause), cause);
  });
  return entries.map((entry) => (entry.isFile() ? entry.name : `${entry.name}/`));
}

const notReplaceable = (folder: string, why: string, cause?: unknown): ActionableError =>
  new ActionableError({
    what: `make a release in ${folder}`,
    why,
    next: 'name an empty folder, or one that does not exist yet, with --out',
    cause,
  });
