import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { isKind, KINDS } from './kinds.ts';
import { parseObjects } from './parse.ts';
import { printObject } from './print.ts';
import { anyValueOf } from './testdata/any-value.ts';

const kinds = Object.keys(KINDS).filter(isKind);
const object = fc.constantFrom(...kinds).chain((kind) =>
  anyValueOf(KINDS[kind].fields.spec, 1).map((spec) => ({
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
    { numRuns: often(150, 3_000) },
  );
});

it('never throws on corrupted text, and reports where it is invalid', () => {
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
    { numRuns: often(300, 6_000) },
  );
});

it('rejects a value of the wrong type in any place', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(KINDS.Cluster.fields.spec.fields)), (name) => {
      // No field of the API accepts a list of lists of mappings.
      const spec = { [name]: [[{ a: 1 }]] };
      const { errors } = parseObjects(
        printObject({ apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', metadata: { name: 'a.b' }, spec }),
        'a.yaml',
      );
      expect(errors.length).toBeGreaterThan(0);
    }),
  );
});
