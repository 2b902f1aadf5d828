import { deleteInstanceGroup } from '@kopsctl/actions/delete-instance-group.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { writeResult } from '../output/terminal.ts';

/** Takes an instance group out of the spec; its machines are deleted when the cluster is applied with --prune. */
export async function deleteGroup(
  global: GlobalOptions,
  name: string,
  { yes = false }: { readonly yes?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { cluster, next } = await deleteInstanceGroup(actionContext(global, env), { name, yes });
  const proposal = next === undefined ? undefined : nextCommand(global, [...next, '--prune', '--yes']);
  const after = proposal === undefined ? '' : ` Next, to delete its machines: ${proposal}`;
  const object = `instancegroup/${name}`;
  const details = { object, cluster, outcome: yes ? 'deleted' : 'found', next: proposal };
  writeResult({
    message: yes
      ? `Deleted ${object} of ${cluster}.${after}`
      : `Would delete ${object} of ${cluster}. Add --yes to delete it.`,
    details,
  });
  return 0;
}
