import { applyAddons as apply } from '@kopsctl/actions/apply-addons.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { table } from '../output/table.ts';
import { writeErr, writeOut } from '../output/terminal.ts';
import { usageError } from '../flags/usage-error.ts';

export interface ApplyAddonsOptions {
  readonly filename?: readonly string[];
  readonly yes?: boolean;
  readonly apiServer?: string;
  readonly useKubeconfig?: boolean;
}

/** Shows which addons of channels the cluster lacks; with --yes it gets them. */
export async function applyAddons(
  global: GlobalOptions,
  named: readonly string[],
  { filename = [], yes = false, apiServer, useKubeconfig }: ApplyAddonsOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const channels = [...named, ...filename];
  if (channels.length === 0) {
    throw usageError({
      what: 'apply addons',
      why: 'no channel is named',
      next: 'name one, such as s3://BUCKET/CLUSTER/addons/bootstrap-channel.yaml',
    });
  }
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const updates = await apply(context, { channels, yes, choice: { apiServer, usesKubeconfig: useKubeconfig } });
  if (updates.length === 0) writeOut('No update required\n');
  else if (!yes) {
    const rows = updates.map(({ name, current, wanted }) => [name, current.slice(0, 12) || '-', wanted.slice(0, 12)]);
    writeOut(table(['NAME', 'CURRENT', 'UPDATE'], rows));
    writeErr('Add --yes to apply these.\n');
  }
  return 0;
}
