import type { FieldDefaults } from './describe/field-defaults.ts';
import { type DescribedKind, fieldFacts } from './describe/field-facts.ts';
import { isKind, KINDS, type Kind } from './kinds.ts';
import type { Field, ObjectField, ScalarField } from './schema/field.ts';
import { spellingsOf, type ApiVersion } from './versions/api-version.ts';
import { v1alpha3Schema } from './versions/v1alpha3-schema.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema (draft 2020-12) of a kind. Editors use it to complete and check specs. */
export function jsonSchema(
  kind: Kind,
  version: ApiVersion = 'v1alpha2',
  defaults: FieldDefaults = new Map(),
): JsonSchema {
  const of = { kind, version, defaults };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    type: 'object',
    properties: {
      ...propertiesOf(version === 'v1alpha2' ? KINDS[kind] : v1alpha3Schema(kind), { of, path: '' }),
      apiVersion: { ...annotationsOf({ of, path: 'apiVersion' }), enum: spellingsOf(version) },
      kind: { ...annotationsOf({ of, path: 'kind' }), const: kind },
    },
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    additionalProperties: false,
  };
}

const SCALARS: Readonly<Record<ScalarField, JsonSchema>> = {
  anything: {},
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int: { type: 'integer' },
  int32: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  number: { type: 'number' },
  quantity: {
    anyOf: [
      { type: 'number' },
      { type: 'string', pattern: '^[-+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]+)?$' },
    ],
  },
  duration: { type: 'string', pattern: '^[-+]?(0|(([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$' },
  'int-or-string': { type: ['integer', 'string'] },
};

/** Where in a kind a field is. Items of lists are `[*]`. */
interface Place {
  readonly of: DescribedKind;
  readonly path: string;
}

function schemaOf(field: Field, place: Place): JsonSchema {
  if (typeof field === 'string') return SCALARS[field];
  if (field.type === 'enum') return { enum: field.words };
  if (field.type === 'list')
    return { type: 'array', items: schemaOf(field.item, { ...place, path: `${place.path}[*]` }) };
  if (field.type === 'map') return { type: 'object', additionalProperties: schemaOf(field.item, place) };
  return { type: 'object', properties: propertiesOf(field, place), additionalProperties: false };
}

const propertiesOf = ({ fields }: ObjectField, { of, path }: Place): JsonSchema =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const place = { of, path: path === '' ? name : `${path}.${name}` };
      return [name, { ...annotationsOf(place), ...schemaOf(field, place) }];
    }),
  );

function annotationsOf({ of, path }: Place): JsonSchema {
  const { text, ...rest } = fieldFacts(of, path);
  return { ...(text !== undefined && { description: text }), ...rest };
}

/**
 * The JSON Schema of files with several objects: an editor checks each document by it. Objects that are not of the kops
 * API are addons, about which the schema says nothing.
 */
export const jsonSchemaOfFiles = (
  version: ApiVersion = 'v1alpha2',
  defaultsOf: (kind: Kind) => FieldDefaults = () => new Map(),
): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Objects of the kops API',
  type: 'object',
  required: ['apiVersion', 'kind'],
  allOf: Object.keys(KINDS)
    .filter(isKind)
    .map((kind) => ({
      if: { properties: { apiVersion: { enum: spellingsOf(version) }, kind: { const: kind } } },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
      then: jsonSchema(kind, version, defaultsOf(kind)),
    })),
});
