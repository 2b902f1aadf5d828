import { getMachines as get } from '@kopsctl/actions/get-machines.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { printed } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

/** Prints the machines that a cluster has in its cloud. */
export async function getMachines(
  global: GlobalOptions,
  { output }: OutputOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const machines = await get(actionContext(global, env));
  if (output === 'table') {
    writeOut(
      table(
        ['NAME', 'NODE', 'ROLE', 'GROUP', 'ADDRESS', 'STATE'],
        machines.map((one) => [one.name, one.nodeName, one.role, one.instanceGroup, one.address, one.state]),
      ),
    );
  } else writeDocument(await printed(machines, output));
  return 0;
}
