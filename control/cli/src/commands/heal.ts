import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { healCluster } from '@kopsctl/actions/heal-cluster.ts';
import { actionContext } from '../context.ts';
import { parseDuration } from '../duration.ts';
import type { GlobalOptions } from '../global-options.ts';
import { healingDocument, hasFailed, printHealed } from '../print-healed.ts';
import { writeDocument, writeErr } from '../terminal.ts';

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
    throw new ActionableError({
      what: 'heal a cluster with --watch',
      why: 'nothing is changed without --yes',
      next: 'add --yes',
    });
  }
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const { signal } = context;
  let said = '';
  // Chosen once: the context of kubectl may change while this watches.
  let chosen = cluster;
  for (;;) {
    const look = healCluster(context, { cluster: chosen, yes, assets });
    const healed = await (watch ? look.catch((error: unknown) => tryAgain(error, signal)) : look);
    chosen ??= healed?.cluster;
    const document = JSON.stringify(healed && healingDocument(healed));
    // What has not changed is not news.
    if (healed !== undefined && document !== said) {
      if (output === 'json') writeDocument(`${document}\n`);
      else printHealed(global, healed, { yes });
    }
    said = document;
    if (healed?.roll !== undefined && hasFailed(healed.roll)) return 1;
    if (!watch || signal.aborted) return 0;
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/** A cloud or an API server that does not answer now may do so at the next look. */
function tryAgain(error: unknown, signal: AbortSignal): undefined {
  if (!signal.aborted) writeErr(`Trying again: ${messageOf(error)}\n`);
}
