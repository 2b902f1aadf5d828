import { lintFiles } from '@kopsctl/actions/lint-files.ts';
import { writeOut } from '../output/terminal.ts';

/** Says what is wrong with objects of files; without a fault, which objects were checked. */
export async function lint(
  { filename }: { readonly filename: readonly string[] },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  for (const { cluster, titles } of await lintFiles(filename, env)) {
    writeOut(`Nothing is wrong with ${titles.join(', ')} of ${cluster}\n`);
  }
  return 0;
}
