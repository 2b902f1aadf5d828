import type { FieldError } from '@kopsctl/spec/field-error.ts';
import { versionOf, type ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { convert } from '@kopsctl/spec/versions/convert.ts';
import type { Values } from '@kopsctl/spec/versions/values.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';
import { type ActionContext, note } from '../phases/action.ts';

/** An object that is to be shown in a version of the API: one of kops's, as v1alpha2 has it, or any other. */
export interface ToShow {
  readonly kind: string;
  readonly name: string;
  readonly value: Values;
  /** Where a path of it stands, and what its author calls it, where it comes from a file. */
  readonly placeOf?: (path: string) => FieldError;
}

/**
 * Objects in a version of the API. What v1alpha3 has no place for is left out and named in a note.
 *
 * @throws InvalidSpecError with every value that v1alpha3 cannot say
 */
export function inApiVersion(
  context: Pick<ActionContext, 'onEvent'>,
  objects: readonly ToShow[],
  version: ApiVersion,
): readonly object[] {
  if (version === 'v1alpha2') return objects.map(({ value }) => value);
  const faults: FieldError[] = [];
  const converted = objects.map(({ kind, name, value, placeOf }) => {
    if (versionOf(String(value['apiVersion'])) === undefined) return value;
    const result = convert(kind, value, 'v1alpha2');
    for (const { path, message, hint } of result.faults) {
      const place = placeOf?.(path) ?? { path: `${kind} ${name}: ${path}`, message };
      faults.push({ ...place, message, ...(hint === undefined ? {} : { hint }) });
    }
    if (result.lost.length > 0) {
      const paths = result.lost.map(({ path }) => path).join(', ');
      note(context, `Note: v1alpha3 has no place for these fields of ${kind} ${name}, so they are left out: ${paths}`);
    }
    return result.value;
  });
  if (faults.length > 0) throw new InvalidSpecError(`convert the objects to ${version}`, faults);
  return converted;
}
