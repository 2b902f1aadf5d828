import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { healCluster, type HealedCluster } from '@kopsctl/actions/heal-cluster.ts';
import { keepHealing } from '@kopsctl/actions/keep-healing.ts';
import { actionContext } from '../context.ts';
import { parseDuration } from '../flags/duration.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { usageError } from '../flags/usage-error.ts';
import { healingDocument, printHealed, printHealingFailure } from '../output/print-healed.ts';
import { writeDocument, writeErr } from '../output/terminal.ts';

export interface HealOptions {
  readonly yes?: boolean;
  readonly watch?: boolean;
  readonly interval: string;
  readonly output: 'table' | 'json';
  readonly assets?: string;
}

/** Replaces the machine that has been not Ready for too long, once or over and over, or shows which that is. */
export async function heal(
  global: GlobalOptions,
  cluster: string | undefined,
  { yes = false, watch = false, interval, output, assets }: HealOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const intervalMs = parseDuration(interval, '--interval');
  if (watch && !yes) {
    throw usageError({
      what: 'heal a cluster with --watch',
      why: 'nothing is changed without --yes',
      next: 'add --yes',
    });
  }
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const print = (healed: HealedCluster): void => {
    if (output === 'json') writeDocument(`${JSON.stringify(healingDocument(healed))}\n`);
    else printHealed(healed, { yes });
  };
  const request = { cluster, yes, assets };
  if (!watch) {
    const healed = await healCluster(context, request);
    print(healed);
    return printHealingFailure(global, healed);
  }
  let said = '';
  const last = await keepHealing(context, {
    ...request,
    intervalMs,
    onLook: (healed) => {
      const document = JSON.stringify(healingDocument(healed));
      // What has not changed is not news.
      if (document !== said) print(healed);
      said = document;
    },
    onFailure: (error) => {
      writeErr(`Trying again: ${messageOf(error)}\n`);
      said = '';
    },
  });
  return last === undefined ? 0 : printHealingFailure(global, last);
}
