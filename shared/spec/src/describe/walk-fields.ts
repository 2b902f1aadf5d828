import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { movedFieldHint } from '../moved-fields.ts';
import { nearestName } from '../nearest-name.ts';
import type { Field, ObjectField } from '../schema/field.ts';
import type { ApiVersion } from '../versions/api-version.ts';
import { v1alpha3Schema } from '../versions/v1alpha3-schema.ts';
import type { FieldDefaults } from './field-defaults.ts';
import { type DescribedKind, type FieldFacts, fieldFacts } from './field-facts.ts';

/** A field of the API, and what is below it. */
export interface DescribedField extends FieldFacts {
  readonly path: string;
  readonly type: string;
  readonly words?: readonly string[];
}

export interface WalkedField extends DescribedField {
  readonly fields: readonly DescribedField[];
}

export interface WalkOptions {
  readonly version?: ApiVersion | undefined;
  readonly defaults?: FieldDefaults | undefined;
}

/** What a field of a kind is, and the fields below it. Positions in lists may be left out. @throws ActionableError for a field that does not exist */
export function walkField(
  kind: Kind,
  path: string,
  { version = 'v1alpha2', defaults = new Map() }: WalkOptions = {},
): WalkedField {
  const { found, missing } = follow(schemaOf(kind, version), path);
  if (missing !== undefined) throw noSuchField({ kind, version, path }, found, missing);
  const of = { kind, version, defaults };
  const fields = Object.entries(fieldsOf(found.field)).map(([name, field]) => described(of, step(found, name, field)));
  return { ...described(of, found), fields };
}

const schemaOf = (kind: Kind, version: ApiVersion): ObjectField =>
  version === 'v1alpha2' ? KINDS[kind] : v1alpha3Schema(kind);

/** A field on the way through a kind. */
interface Found {
  readonly field: Field;
  readonly names: readonly string[];
  /** With `[*]` for items of lists. */
  readonly path: string;
}

/** As far as a path leads, and the name where it ends, if no field has that name. */
function follow(schema: ObjectField, path: string): { readonly found: Found; readonly missing?: string } {
  const names = path.split(/[.[\]]+/).filter((part) => part !== '' && !/^(\d+|\*)$/.test(part));
  let found: Found = { field: schema, names: [], path: '' };
  for (const name of names) {
    const fields = fieldsOf(found.field);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return { found, missing: name };
    found = step(found, name, field);
  }
  return { found };
}

function step({ field: parent, names, path }: Found, name: string, field: Field): Found {
  const isList = typeof parent !== 'string' && parent.type === 'list';
  return { field, names: [...names, name], path: path === '' ? name : `${path}${isList ? '[*]' : ''}.${name}` };
}

/** The type of a field in a word or two: `list of object`. */
function typeOf(field: Field): string {
  if (typeof field === 'string') return field;
  if (field.type === 'list' || field.type === 'map') return `${field.type} of ${typeOf(field.item)}`;
  return field.type;
}

const described = (of: DescribedKind, { field, names, path }: Found): DescribedField => ({
  path: names.join('.'),
  type: typeOf(field),
  ...fieldFacts(of, path),
  ...(typeof field !== 'string' && field.type === 'enum' && { words: field.words }),
});

/** Those of an object, and of what a list or map has in it. */
function fieldsOf(field: Field): Readonly<Record<string, Field>> {
  if (typeof field === 'string' || field.type === 'enum') return {};
  return field.type === 'object' ? field.fields : fieldsOf(field.item);
}

interface Asked {
  readonly kind: Kind;
  readonly version: ApiVersion;
  readonly path: string;
}

function noSuchField({ kind, version, path }: Asked, { field, names }: Found, name: string): ActionableError {
  const command = `kopsctl explain ${kind.toLowerCase()}`;
  const other = version === 'v1alpha2' ? 'v1alpha3' : 'v1alpha2';
  if (follow(schemaOf(kind, other), path).missing === undefined) {
    const hint = movedFieldHint(kind, path, version);
    return new ActionableError({
      what: `explain ${path} of ${kind}`,
      why: `${version} has no such field${hint === undefined ? '' : `: ${hint}`}`,
      next: `\`${command} ${path} --api-version ${other}\` explains it`,
      isUsage: true,
    });
  }
  const meant = nearestName(name, Object.keys(fieldsOf(field)));
  const above = names.length === 0 ? '' : ` ${names.join('.')}`;
  const inVersion = version === 'v1alpha2' ? '' : ` --api-version ${version}`;
  return new ActionableError({
    what: `explain ${[...names, name].join('.')} of ${kind}`,
    why: `there is no such field${meant === undefined ? '' : `; did you mean ${[...names, meant].join('.')}?`}`,
    next: `\`${command}${above}${inVersion}\` lists the fields that exist`,
    isUsage: true,
  });
}
