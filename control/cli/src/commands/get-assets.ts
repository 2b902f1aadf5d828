import { getAssets as get } from '@kopsctl/actions/get-assets.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { printedValue } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

export interface GetAssetsOptions extends OutputOptions {
  readonly copy?: boolean;
}

/** Prints the images and files that the machines of a cluster download; with --copy they are copied to its mirrors first. */
export async function getAssets(
  global: GlobalOptions,
  { output, copy = false }: GetAssetsOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const assets = await get(actionContext(global, env, { endsInOrder: copy }), { copy });
  if (output !== 'table') {
    writeDocument(await printedValue(assets, output));
    return 0;
  }
  const images = assets.images.map(({ canonical, download }) => [canonical, download]);
  const files = assets.files.map(({ canonical, download, sha }) => [canonical, download, sha.slice(0, 12)]);
  writeOut(`${table(['IMAGE', 'DOWNLOAD'], images)}\n${table(['FILE', 'DOWNLOAD', 'SHA'], files)}`);
  return 0;
}
