import { parseObjectFiles } from '@kopsctl/apply/object-files.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { printObjects } from '@kopsctl/spec/print.ts';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { normalForm } from '@kopsctl/spec/versions/normal-form.ts';
import type { Values } from '@kopsctl/spec/versions/values.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { inApiVersion, type ToShow } from '../in-api-version.ts';

export interface ConvertOptions {
  readonly filename: readonly string[];
  readonly apiVersion: ApiVersion;
  readonly output: 'yaml' | 'json';
}

/** Prints the objects of files in a version of the API, in their order. Objects that are not kops's stay as they are. */
export async function convertFiles({ filename, apiVersion, output }: ConvertOptions): Promise<number> {
  const parsed = await parseObjectFiles(filename);
  const shown = parsed.flatMap(({ objects, additional }) =>
    [
      ...objects.map((object) => ({ line: object.positionOf('').line, toShow: toShow(object) })),
      ...additional.map((object) => ({ line: object.positionOf('').line, toShow: object })),
    ]
      .toSorted((a, b) => a.line - b.line)
      .map(({ toShow: one }) => one),
  );
  const values = inApiVersion(shown, apiVersion);
  process.stdout.write(output === 'json' ? `${sortedJson(values, 2)}\n` : printObjects(values));
  return 0;
}

const toShow = (object: ParsedObject): ToShow => ({
  kind: object.kind,
  name: object.name,
  value: normalForm(object.kind, object.value as Values),
  placeOf: (path) => ({ ...object.positionOf(path), path: object.pathOf(path), message: '' }),
});
