import { getSshPublicKeys as get } from '@kopsctl/actions/get-keys.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { printedValue } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

/** Prints the keys that may log in to a cluster's machines. */
export async function getSshPublicKeys(
  global: GlobalOptions,
  { output }: OutputOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const keys = await get(actionContext(global, env));
  if (output !== 'table') writeDocument(await printedValue(keys, output));
  else {
    writeOut(
      table(
        ['ID', 'KEY'],
        keys.map(({ id, publicKey }) => [id, publicKey]),
      ),
    );
  }
  return 0;
}
