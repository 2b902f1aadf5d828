import { replaceObjects } from '@kopsctl/actions/replace-objects.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeDiff, writeOut } from '../output/terminal.ts';

export interface ReplaceOptions {
  readonly filename: readonly string[];
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

const DONE = { create: 'Created', replace: 'Replaced', keep: 'Unchanged' } as const;
const WOULD = { create: 'Would create', replace: 'Would replace', keep: 'Unchanged' } as const;

/** Writes objects over existing ones; with --force also objects that do not exist yet. */
export async function replaceFromFiles(
  global: GlobalOptions,
  { filename: files, force = false, dryRun = false }: ReplaceOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const replaced = await replaceObjects(actionContext(global, env), { files, force, dryRun });
  for (const { title, outcome, patch } of replaced) {
    writeDiff(patch);
    writeOut(`${(dryRun ? WOULD : DONE)[outcome]} ${title}\n`);
  }
  return 0;
}
