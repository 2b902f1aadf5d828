import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isKind, KINDS } from './kinds.ts';
import { parseObjects } from './parse.ts';
import { printObject } from './print.ts';
import type { Field } from './schema/field.ts';

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('yes', 'on', '012', '1.20', 'null', '~', '- x', 'a: b', '#', '1e3', '0x1F', '2017-01-01', ' x '),
);

/** Any value that a field may have. Objects get a handful of their fields, or the values would be huge. */
function valueOf(field: Field, depth = 0): fc.Arbitrary<unknown> {
  if (typeof field === 'string') return SCALARS[field];
  if (field.type === 'enum') return fc.constantFrom(...field.words);
  const maxLength = depth > 3 ? 1 : 3;
  if (field.type === 'list') return fc.array(valueOf(field.item, depth + 1), { maxLength });
  if (field.type === 'map') return fc.dictionary(text, valueOf(field.item, depth + 1), { maxKeys: maxLength });
  const entries = Object.entries(field.fields);
  if (entries.length === 0) return fc.constant({});
  return fc
    .uniqueArray(fc.nat(entries.length - 1), { maxLength: depth < 2 ? 12 : 4 })
    .chain((picked) =>
      fc.record(
        Object.fromEntries(
          picked.flatMap((index) => {
            const [name, inner] = entries[index] ?? [];
            return name === undefined || inner === undefined ? [] : [[name, valueOf(inner, depth + 1)]];
          }),
        ),
      ),
    )
    .map((value) => ({ ...value }));
}

const SCALARS = {
  string: text,
  bool: fc.boolean(),
  int: fc.maxSafeInteger(),
  int32: fc.integer(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  quantity: fc.oneof(fc.nat(), fc.constantFrom('100m', '1.5Gi', '2e3')),
  duration: fc.constantFrom('0', '30s', '1h2m3.5s', '-5ms'),
  'int-or-string': fc.oneof(fc.nat(), fc.constantFrom('25%', 'http')),
  anything: fc.constant({ a: [1, 'x', null] }),
} satisfies Record<Extract<Field, string>, fc.Arbitrary<unknown>>;

const kinds = Object.keys(KINDS).filter(isKind);
const object = fc.constantFrom(...kinds).chain((kind) =>
  valueOf(KINDS[kind].fields.spec, 1).map((spec) => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind,
    metadata: { name: 'demo.example.com' },
    spec,
  })),
);

it('reads back every valid object that it prints', () => {
  fc.assert(
    fc.property(object, (value) => {
      const { objects, errors } = parseObjects(printObject(value), 'a.yaml');
      expect(errors).toEqual([]);
      expect(objects[0]?.value).toEqual(value);
    }),
    { numRuns: 150 },
  );
});

it('never throws on a mutilated text, and reports where it is broken', () => {
  const cut = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(20),
    insert: fc.oneof(
      fc.string(),
      fc.constantFrom('&a ', '*a', '<<: *b', '{', '- ', '\t', '? ', '!!x ', '%YAML 1.1\n', '---\n'),
    ),
  });
  fc.assert(
    fc.property(object, fc.array(cut, { minLength: 1, maxLength: 4 }), (value, cuts) => {
      const mutilated = cuts.reduce((text, { at, length, insert }) => {
        const start = Math.floor(at * text.length);
        return text.slice(0, start) + insert + text.slice(start + length);
      }, printObject(value));
      for (const error of parseObjects(mutilated, 'a.yaml').errors) {
        expect(error.line).toBeGreaterThan(0);
        expect(error.message).not.toBe('');
      }
    }),
    { numRuns: 300 },
  );
});

it('refuses a value of the wrong type wherever it stands', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(KINDS.Cluster.fields.spec.fields)), (name) => {
      // No field of the API accepts a list of lists of nothing but mappings.
      const spec = { [name]: [[{ a: 1 }]] };
      const { errors } = parseObjects(
        printObject({ apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', metadata: { name: 'a.b' }, spec }),
        'a.yaml',
      );
      expect(errors.length).toBeGreaterThan(0);
    }),
  );
});
