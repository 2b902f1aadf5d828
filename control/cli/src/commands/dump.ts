import { dumpCluster } from '@kopsctl/actions/dump-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { writeOut } from '../terminal.ts';

/** Writes a support bundle without secrets. */
export async function dump(
  global: GlobalOptions,
  cluster: string | undefined,
  { dir }: { readonly dir?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  const dumped = await dumpCluster(context, { cluster, dir });
  const failed = dumped.files.filter((path) => path.endsWith('.failed.txt'));
  writeOut(`Wrote ${dumped.files.length} files on ${dumped.cluster} to ${dumped.dir}, without its secrets\n`);
  for (const path of failed) writeOut(`not gathered, as ${dumped.dir}/${path} says\n`);
  return 0;
}
