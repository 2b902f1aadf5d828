import { rollCluster } from '@kopsctl/actions/roll-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printRolling } from '../output/print-rolling.ts';
import { type RollFlags, rollRequestOf } from '../flags/roll-flags.ts';
import { writeDocument } from '../output/terminal.ts';

/** Replaces outdated machines, or shows them. */
export async function rollingUpdate(
  global: GlobalOptions,
  cluster: string | undefined,
  options: RollFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { yes = false, output = 'table' } = options;
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const { onEvent } = context;
  const told: typeof context =
    output === 'table'
      ? context
      : {
          ...context,
          onEvent: (event) => {
            if (event.type === 'roll') writeDocument(`${JSON.stringify(event.event)}\n`);
            else if (event.type === 'note') onEvent(event);
          },
        };
  const rolling = await rollCluster(told, { ...rollRequestOf(options), cluster, yes });
  return printRolling(global, rolling, { yes, output });
}
