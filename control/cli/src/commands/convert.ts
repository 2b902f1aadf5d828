import { convertFiles as convert } from '@kopsctl/actions/convert-files.ts';
import { printObjects } from '@kopsctl/spec/print.ts';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeDocument } from '../output/terminal.ts';

export interface ConvertOptions {
  readonly filename: readonly string[];
  readonly apiVersion: ApiVersion;
  readonly output: 'yaml' | 'json';
}

/** Prints the objects of files in a version of the API. */
export async function convertFiles(
  global: GlobalOptions,
  { filename: files, apiVersion, output }: ConvertOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const values = await convert(actionContext(global, env), { files, apiVersion });
  writeDocument(output === 'json' ? `${sortedJson(values, 2)}\n` : printObjects(values));
  return 0;
}
