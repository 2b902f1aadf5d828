import { expect, it } from 'vitest';
import { type JsonSchema, jsonSchema } from './json-schema.ts';
import { isKind, KINDS } from './kinds.ts';

it('describes every kind so that an editor completes fields and marks unknown ones', () => {
  const schema = jsonSchema('InstanceGroup');
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    additionalProperties: false,
    properties: {
      kind: { const: 'InstanceGroup' },
      spec: {
        additionalProperties: false,
        properties: {
          role: { enum: expect.arrayContaining(['Master', 'Node']) },
          minSize: { type: 'integer' },
          taints: { type: 'array', items: { type: 'string' } },
          nodeLabels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  });
});

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** The paths of all fields below a schema that have no text. */
function silentFields(schema: JsonSchema, path = ''): readonly string[] {
  const { properties, items, additionalProperties } = schema;
  const inner = [items, additionalProperties].filter(isSchema).flatMap((one) => silentFields(one, path));
  const fields = isSchema(properties) ? Object.entries(properties) : [];
  return fields.reduce<readonly string[]>((silent, [name, field]) => {
    if (!isSchema(field)) throw new Error(`${path}${name} has no schema`);
    const own = field['description'] === undefined ? [`${path}${name}`] : [];
    return [...silent, ...own, ...silentFields(field, `${path}${name}.`)];
  }, inner);
}

const VERSIONS = ['v1alpha2', 'v1alpha3'] as const;

it.each(
  Object.keys(KINDS)
    .filter(isKind)
    .flatMap((kind) => VERSIONS.map((version) => [kind, version] as const)),
)('every field of %s has a text in %s', (kind, version) => {
  expect(silentFields(jsonSchema(kind, version))).toEqual([]);
});

it('says the opposite of a field whose value is the opposite in the other version, and has the opposite default', () => {
  const defaults = new Map([['spec.DisableSubnetTags', false]]);
  expect(jsonSchema('Cluster', 'v1alpha2', defaults)).toMatchObject({
    properties: { spec: { properties: { DisableSubnetTags: { default: false } } } },
  });
  expect(jsonSchema('Cluster', 'v1alpha3', defaults)).toMatchObject({
    properties: {
      spec: {
        properties: {
          networking: {
            properties: { tagSubnets: { default: true, description: expect.stringMatching(/^False leaves subnets/) } },
          },
        },
      },
    },
  });
});
