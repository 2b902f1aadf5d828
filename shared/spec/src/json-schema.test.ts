import { expect, it } from 'vitest';
import { jsonSchema } from './json-schema.ts';

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
