import { describeField } from './describe/describe-field.ts';
import type { FieldDefaults } from './describe/field-defaults.ts';
import { isKind, KINDS, type Kind } from './kinds.ts';
import type { Field, ObjectField, ScalarField } from './schema/field.ts';
import { spellingsOf, type ApiVersion } from './versions/api-version.ts';
import { translatePath } from './versions/translate-path.ts';
import { v1alpha3Schema } from './versions/v1alpha3-schema.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema (draft 2020-12) of a kind. Editors use it to complete and check specs. */
export function jsonSchema(
  kind: Kind,
  version: ApiVersion = 'v1alpha2',
  defaults: FieldDefaults = new Map(),
): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    type: 'object',
    properties: {
      ...propertiesOf(version === 'v1alpha2' ? KINDS[kind] : v1alpha3Schema(kind), {
        kind,
        names: [],
        defaults,
        // Texts and defaults are listed by the paths of v1alpha2.
        pathOf: (path) => (version === 'v1alpha2' ? path : translatePath(kind, path, version).path),
      }),
      apiVersion: { enum: spellingsOf(version) },
      kind: { const: kind },
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

/** Where in a kind a field is. */
interface Place {
  readonly kind: Kind;
  readonly names: readonly string[];
  readonly pathOf: (path: string) => string;
  readonly defaults: FieldDefaults;
}

function schemaOf(field: Field, place: Place): JsonSchema {
  if (typeof field === 'string') return SCALARS[field];
  if (field.type === 'enum') return { enum: field.words };
  if (field.type === 'list') return { type: 'array', items: schemaOf(field.item, place) };
  if (field.type === 'map') return { type: 'object', additionalProperties: schemaOf(field.item, place) };
  return { type: 'object', properties: propertiesOf(field, place), additionalProperties: false };
}

const propertiesOf = ({ fields }: ObjectField, place: Place): JsonSchema =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const at = { ...place, names: [...place.names, name] };
      const path = place.pathOf(at.names.join('.'));
      const description = describeField(place.kind, path.split('.'));
      const value = place.defaults.get(path);
      return [
        name,
        {
          ...(description !== undefined && { description }),
          ...(value !== undefined && { default: value }),
          ...schemaOf(field, at),
        },
      ];
    }),
  );

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
