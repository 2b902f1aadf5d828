import { KINDS, type Kind } from './kinds.ts';
import type { Field, ObjectField, ScalarField } from './schema/field.ts';
import { spellingsOf, type ApiVersion } from './versions/api-version.ts';
import { v1alpha3Schema } from './versions/v1alpha3-schema.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema (draft 2020-12) of a kind. Editors use it to complete and check specs. */
export function jsonSchema(kind: Kind, version: ApiVersion = 'v1alpha2'): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    type: 'object',
    properties: {
      ...propertiesOf(version === 'v1alpha2' ? KINDS[kind] : v1alpha3Schema(kind)),
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

function schemaOf(field: Field): JsonSchema {
  if (typeof field === 'string') return SCALARS[field];
  if (field.type === 'enum') return { enum: field.words };
  if (field.type === 'list') return { type: 'array', items: schemaOf(field.item) };
  if (field.type === 'map') return { type: 'object', additionalProperties: schemaOf(field.item) };
  return { type: 'object', properties: propertiesOf(field), additionalProperties: false };
}

const propertiesOf = ({ fields }: ObjectField): JsonSchema =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
