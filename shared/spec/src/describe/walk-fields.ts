import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { KINDS, type Kind } from '../kinds.ts';
import type { FieldDefaults } from './field-defaults.ts';
import { nearestName } from '../nearest-name.ts';
import type { Field } from '../schema/field.ts';
import { describeField } from './describe-field.ts';

/** A field of the API, and what is below it. */
export interface DescribedField {
  readonly path: string;
  readonly type: string;
  readonly text?: string;
  readonly words?: readonly string[];
  /** What completion sets where a person sets nothing. */
  readonly default?: unknown;
}

export interface WalkedField extends DescribedField {
  readonly fields: readonly DescribedField[];
}

/** What a field of a kind is, and the fields below it. Positions in lists may be left out. @throws ActionableError for a field that does not exist */
export function walkField(kind: Kind, path: string, defaults: FieldDefaults = new Map()): WalkedField {
  const names = path.split(/[.[\]]+/).filter((part) => part !== '' && !/^(\d+|\*)$/.test(part));
  let field: Field = KINDS[kind];
  const passed: string[] = [];
  for (const name of names) {
    const fields: Readonly<Record<string, Field>> = fieldsOf(field);
    const found = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (found === undefined) throw noSuchField(kind, passed, name, Object.keys(fields));
    field = found;
    passed.push(name);
  }
  const withDefault = (one: DescribedField): DescribedField =>
    defaults.has(one.path) ? { ...one, default: defaults.get(one.path) } : one;
  return { ...withDefault(described(kind, passed, field)), fields: below(kind, passed, field).map(withDefault) };
}

/** The type of a field in a word or two: `list of object`. */
function typeOf(field: Field): string {
  if (typeof field === 'string') return field;
  if (field.type === 'list' || field.type === 'map') return `${field.type} of ${typeOf(field.item)}`;
  return field.type;
}

function described(kind: Kind, names: readonly string[], field: Field): DescribedField {
  const text = describeField(kind, names);
  return {
    path: names.join('.'),
    type: typeOf(field),
    ...(text !== undefined && { text }),
    ...(typeof field !== 'string' && field.type === 'enum' && { words: field.words }),
  };
}

const below = (kind: Kind, names: readonly string[], field: Field): readonly DescribedField[] =>
  Object.entries(fieldsOf(field)).map(([name, of]) => described(kind, [...names, name], of));

/** Those of an object, and of what a list or map has in it. */
function fieldsOf(field: Field): Readonly<Record<string, Field>> {
  if (typeof field === 'string' || field.type === 'enum') return {};
  return field.type === 'object' ? field.fields : fieldsOf(field.item);
}

function noSuchField(kind: Kind, passed: readonly string[], name: string, known: readonly string[]): ActionableError {
  const meant = nearestName(name, known);
  const at = [...passed, name].join('.');
  return new ActionableError({
    what: `explain ${at} of ${kind}`,
    why: `there is no such field${meant === undefined ? '' : `; did you mean ${[...passed, meant].join('.')}?`}`,
    next: `\`kopsctl explain ${kind.toLowerCase()}${passed.length === 0 ? '' : ` ${passed.join('.')}`}\` lists the fields there are`,
    isUsage: true,
  });
}
