import { readObjectFiles } from '@kopsctl/apply/object-files.ts';
import { replaceObjects } from '@kopsctl/apply/submit-objects.ts';
import { openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

/** Writes objects anew; with --force also those that are not there yet. */
export async function replaceFromFiles(
  global: GlobalOptions,
  options: { readonly filename: readonly string[]; readonly force?: boolean },
): Promise<number> {
  const clusters = await readObjectFiles(options.filename);
  const store = await openStateStore(global);
  const replaced = await replaceObjects(store, clusters, { force: options.force ?? false });
  for (const { title, stored, text } of replaced) {
    const done = stored === undefined ? 'Created' : stored.text === text ? 'Unchanged' : 'Replaced';
    process.stdout.write(`${done} ${title}\n`);
  }
  return 0;
}
