import { KINDS, type Kind } from './kinds.ts';
import type { Field, ScalarField } from './schema/field.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema (draft 2020-12) of a kind, for editors to complete and check specs. */
export function jsonSchema(kind: Kind): JsonSchema {
  const schema = schemaOf(KINDS[kind]);
  const { properties } = schema as { readonly properties: JsonSchema };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    ...schema,
    properties: {
      ...properties,
      apiVersion: { enum: ['kops.k8s.io/v1alpha2', 'kops/v1alpha2'] },
      kind: { const: kind },
    },
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
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
  const properties = Object.entries(field.fields).map(([name, value]) => [name, schemaOf(value)] as const);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}
