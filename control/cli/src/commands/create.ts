import { writeObject } from '@kopsctl/apply/cluster-store.ts';
import { readSubmitted } from '@kopsctl/apply/spec-files.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

/** Stores new objects as written. What exists already is refused before anything is stored. */
export async function createFromFiles(global: GlobalOptions, files: readonly string[]): Promise<number> {
  if (files.length === 0) {
    throw new ActionableError({
      what: 'create objects',
      why: 'no file is named',
      next: 'name one: `kopsctl create -f FILE`, or see `kopsctl create cluster --help`',
    });
  }
  const store = await openStateStore(global);
  const { name, changes } = await readSubmitted(files, store);
  const existing = changes.filter(({ change }) => change !== 'create');
  if (existing.length > 0) {
    throw new ActionableError({
      what: `create the objects of ${files.join(', ')}`,
      why: `${existing.map(({ path }) => path).join(', ')} exists in ${store.url}`,
      next: `change it with \`kopsctl apply -f ${files.join(' -f ')}\``,
    });
  }
  for (const change of changes) await writeObject(store, change);
  process.stdout.write(changes.map(({ path }) => `Created ${path}\n`).join(''));
  process.stdout.write(`Next: kopsctl apply --name ${name} --state ${store.url} --yes\n`);
  return 0;
}
