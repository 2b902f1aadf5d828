import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const GOLDEN = join(import.meta.dirname, '../testdata/stolen-worker');

/**
 * What a thief gained when it was recorded. `UPDATE=1` records what was gained now: read the difference, because each new
 * line is a gain of thieves.
 */
export async function recorded(name: string, gained: readonly string[]): Promise<readonly string[]> {
  const file = join(GOLDEN, `${name}.txt`);
  if (process.env['UPDATE'] === '1') await writeFile(file, gained.map((line) => `${line}\n`).join(''));
  return (await readFile(file, 'utf8')).split('\n').slice(0, -1);
}
