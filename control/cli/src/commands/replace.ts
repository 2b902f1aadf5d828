import { replaceObjects } from '@kopsctl/actions/replace-objects.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { writeOut } from '../terminal.ts';

/** Writes objects over those that exist; with --force also those that do not exist yet. */
export async function replaceFromFiles(
  global: GlobalOptions,
  { filename: files, force = false }: { readonly filename: readonly string[]; readonly force?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const replaced = await replaceObjects(actionContext(global, env), { files, force });
  for (const { title, stored, text } of replaced) {
    const done = stored === undefined ? 'Created' : stored.text === text ? 'Unchanged' : 'Replaced';
    writeOut(`${done} ${title}\n`);
  }
  return 0;
}
