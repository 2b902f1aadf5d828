import { getAddons as get } from '@kopsctl/actions/get-addons.ts';
import { readiness } from '@kopsctl/actions/follow/list-addons.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { printed } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

/** Prints the addons of a running cluster. */
export async function getAddons(
  global: GlobalOptions,
  { output }: OutputOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const addons = await get(actionContext(global, env, { endsInOrder: true }));
  if (output === 'table') {
    writeOut(
      table(
        ['NAME', 'STATUS', 'READY', 'OBJECTS', 'MANIFEST', 'FAILURE'],
        addons.map((one) => [
          one.name,
          one.status,
          readiness(one),
          String(one.objects),
          one.manifestHash.slice(0, 12),
          one.failure ?? '',
        ]),
      ),
    );
  } else writeDocument(await printed(addons, output));
  return 0;
}
