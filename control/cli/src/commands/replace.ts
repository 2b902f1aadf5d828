import { replaceObjects } from '@kopsctl/actions/replace-objects.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeResult } from '../output/terminal.ts';

export interface ReplaceOptions {
  readonly filename: readonly string[];
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

const DONE = { create: 'Created', replace: 'Replaced', keep: 'Unchanged' } as const;
const WOULD = { create: 'Would create', replace: 'Would replace', keep: 'Unchanged' } as const;
/** As `create` and `edit` have it for a program. */
const OUTCOMES = { create: 'created', replace: 'changed', keep: 'unchanged' } as const;

/** Writes objects over existing ones; with --force also objects that do not exist yet. */
export async function replaceFromFiles(
  global: GlobalOptions,
  { filename: files, force = false, dryRun = false }: ReplaceOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const replaced = await replaceObjects(actionContext(global, env), { files, force, dryRun });
  for (const { title, outcome, patch } of replaced) {
    const message = `${(dryRun ? WOULD : DONE)[outcome]} ${title}`;
    writeResult({ message, patch, details: { object: title, outcome: OUTCOMES[outcome], dryRun } });
  }
  return 0;
}
