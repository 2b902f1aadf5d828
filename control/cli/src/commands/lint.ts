import { lintFiles } from '@kopsctl/actions/lint-files.ts';
import { formatRemark } from '@kopsctl/actions/spec/remarks-on-files.ts';
import { writeResult } from '../output/terminal.ts';

/** Says what is wrong with objects of files; without a fault, which objects were checked. */
export async function lint(
  { filename }: { readonly filename: readonly string[] },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  for (const { cluster, titles, remarks } of await lintFiles(filename, env)) {
    const idle = remarks.filter(({ what }) => what === 'Left out').length;
    const but = idle === 0 ? '' : `, but ${idle === 1 ? 'one field has' : `${idle} fields have`} no effect`;
    const first = `Nothing is wrong with ${titles.join(', ')} of ${cluster}${but}`;
    const message = [first, ...remarks.map((one) => `  ${formatRemark(one)}`)].join('\n');
    writeResult({ message, details: { cluster, objects: titles, remarks } });
  }
  return 0;
}
