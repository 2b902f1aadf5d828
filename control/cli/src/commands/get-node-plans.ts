import { getNodePlans as get } from '@kopsctl/actions/get-node-plans.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { printed } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

/** Prints what the machines of instance groups are told to be: a line for each group, or the plans themselves. */
export async function getNodePlans(
  global: GlobalOptions,
  groups: readonly string[],
  { output }: OutputOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const plans = await get(actionContext(global, env), groups);
  if (output === 'table') {
    writeOut(
      table(
        ['GROUP', 'ROLE', 'KUBERNETES', 'TASKS', 'HASH'],
        plans.map(({ plan, hash }) => [
          plan.instanceGroup,
          plan.role,
          plan.kubernetesVersion,
          String(plan.tasks.length),
          hash,
        ]),
      ),
    );
  } else {
    const documents = plans.map(({ plan }) => plan);
    writeDocument(await printed(documents, output, { single: groups.length === 1 }));
  }
  return 0;
}
