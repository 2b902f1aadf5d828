import { readObjectFiles } from '@kopsctl/apply/object-files.ts';
import { createObjects } from '@kopsctl/apply/submit-objects.ts';
import { nextCommand } from '../next-command.ts';
import { openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

/** Stores new objects as written. What exists already is refused before anything is stored. */
export async function createFromFiles(global: GlobalOptions, files: readonly string[]): Promise<number> {
  const clusters = await readObjectFiles(files);
  const store = await openStateStore(global);
  const created = await createObjects(store, clusters);
  process.stdout.write(created.map(({ title }) => `Created ${title}\n`).join(''));
  for (const { cluster } of clusters) {
    process.stdout.write(`Next: ${await nextCommand(store, cluster)}\n`);
  }
  return 0;
}
