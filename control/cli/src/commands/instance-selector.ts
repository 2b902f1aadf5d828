import { selectInstances } from '@kopsctl/actions/select-instances.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { type InstanceSelectorOptions, selectRequestOf } from '../flags/instance-selector-flags.ts';
import { nextCommand } from '../output/next-command.ts';
import { printed } from '../output/print-objects.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

/** Makes instance groups of machine types that have what flags say. */
export async function instanceSelector(
  global: GlobalOptions,
  name: string,
  options: InstanceSelectorOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { groups, next } = await selectInstances(actionContext(global, env), selectRequestOf(name, options));
  if (options.dryRun === true) writeDocument(await printed(groups, options.output));
  else if (next !== undefined) writeOut(`Next: ${nextCommand(global, [...next, '--yes'])}\n`);
  return 0;
}
