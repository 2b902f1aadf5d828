import { deleteObjects } from '@kopsctl/actions/delete-objects.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printDeleted, printRemnants } from '../output/print-deleted.ts';

/** Deletes what files name: clusters whole, instance groups and SSH keys one by one. */
export async function deleteFromFiles(
  global: GlobalOptions,
  { filename: files = [], yes = false }: { readonly filename?: readonly string[]; readonly yes?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  return printDeleted(await deleteObjects(context, { files, yes, onFound: printRemnants }));
}
