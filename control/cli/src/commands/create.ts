import { createObjects } from '@kopsctl/actions/create-objects.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { writeOut, writeResult } from '../output/terminal.ts';

/** Stores new objects as files hold them. */
export async function createFromFiles(
  global: GlobalOptions,
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { created, next } = await createObjects(actionContext(global, env), files);
  for (const { title } of created) {
    writeResult({ message: `Created ${title}`, details: { object: title, outcome: 'created' } });
  }
  for (const words of next) writeOut(`Next: ${nextCommand(global, [...words, '--yes'])}\n`);
  return 0;
}
