import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/node-handlers/replace-file.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';

/** Another kernel may refuse something else, and is only started by a boot, which empties /run. */
const REFUSALS = 'run/kops/refusals.json';

/** Keeps what this host refused while its plan was carried out, so that a check does not take that for drift. */
export async function keepRefusals(root: string, refused: ReadonlyMap<string, string>): Promise<void> {
  const text = `${JSON.stringify(Object.fromEntries(refused), undefined, 2)}\n`;
  await replaceFile(join(root, REFUSALS), new TextEncoder().encode(text), 0o644, undefined);
}

/** What this host refused the last time; nothing if it was not asked since it booted. */
export async function readRefusals(root: string): Promise<Map<string, string>> {
  try {
    const kept = asRecord(JSON.parse(await readFile(join(root, REFUSALS), 'utf8')));
    return new Map(Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return new Map();
    throw error;
  }
}
