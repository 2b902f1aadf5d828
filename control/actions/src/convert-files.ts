import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { normalForm } from '@kopsctl/spec/versions/normal-form.ts';
import type { Values } from '@kopsctl/spec/versions/values.ts';
import { inApiVersion, type ToShow } from './spec/in-api-version.ts';
import { parseObjectFiles } from './files/object-files.ts';
import type { ActionContext } from './phases/action.ts';

/** The objects of files in a version of the API, in their order. Objects that are not kops's stay as they are. */
export async function convertFiles(
  context: ActionContext,
  { files, apiVersion }: { readonly files: readonly string[]; readonly apiVersion: ApiVersion },
): Promise<readonly object[]> {
  const parsed = await parseObjectFiles(files, context.env);
  const shown = parsed.flatMap(({ objects, additional }) =>
    [
      ...objects.map((object) => ({ line: object.positionOf('').line, toShow: toShow(object) })),
      ...additional.map((object) => ({ line: object.positionOf('').line, toShow: object })),
    ]
      .toSorted((a, b) => a.line - b.line)
      .map(({ toShow: one }) => one),
  );
  return inApiVersion(context, shown, apiVersion);
}

const toShow = (object: ParsedObject): ToShow => ({
  kind: object.kind,
  name: object.name,
  // parseObjects has checked that it is an object.
  value: normalForm(object.kind, object.value as Values),
  placeOf: (path) => ({ ...object.positionOf(path), path: object.pathOf(path), message: '' }),
});
