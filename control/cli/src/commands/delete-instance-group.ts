import { deleteInstanceGroup } from '@kopsctl/actions/delete-instance-group.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { writeOut } from '../output/terminal.ts';

/** Takes an instance group out of the spec; its machines are deleted when the cluster is applied with --prune. */
export async function deleteGroup(
  global: GlobalOptions,
  name: string,
  { yes = false }: { readonly yes?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { cluster, next } = await deleteInstanceGroup(actionContext(global, env), { name, yes });
  const proposal =
    next === undefined ? '' : ` Next, to delete its machines: ${nextCommand(global, [...next, '--prune', '--yes'])}`;
  writeOut(
    yes
      ? `Deleted instancegroup/${name} of ${cluster}.${proposal}\n`
      : `Would delete instancegroup/${name} of ${cluster}. Add --yes to delete it.\n`,
  );
  return 0;
}
