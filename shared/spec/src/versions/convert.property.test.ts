import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { isKind, KINDS } from '../kinds.ts';
import { parseObjects } from '../parse.ts';
import { printObject } from '../print.ts';
import type { Field } from '../schema/field.ts';
import { anyValueOf } from '../testdata/any-value.ts';
import { apiVersionOf, type ApiVersion } from './api-version.ts';
import { convert } from './convert.ts';
import { CLOUDS, MOVES } from './moves.ts';
import { translatePath } from './translate-path.ts';
import { v1alpha3Schema } from './v1alpha3-schema.ts';
import { valueAt, type Values } from './values.ts';

const kinds = Object.keys(KINDS).filter(isKind);
const schemaOf = (kind: (typeof kinds)[number], version: ApiVersion) =>
  version === 'v1alpha2' ? KINDS[kind] : v1alpha3Schema(kind);

/** Any object that a version's schema accepts. */
const anyObject = (version: ApiVersion): fc.Arbitrary<Values> =>
  fc.constantFrom(...kinds).chain((kind) => {
    const { spec } = schemaOf(kind, version).fields;
    if (spec === undefined) throw new Error(`${kind} has no spec`);
    return anyValueOf(spec, 1).map((value) => ({
      apiVersion: apiVersionOf(version),
      kind,
      metadata: { name: 'demo.example.com' },
      spec: asRecord(value),
    }));
  });

/** A copy in which one value is changed or removed. */
function withValue(object: Values, path: string, value: unknown): Values {
  const [name = '', ...rest] = path.split('.');
  if (value === undefined && object[name] === undefined) return object;
  const changed = rest.length === 0 ? value : withValue(asRecord(object[name]), rest.join('.'), value);
  const { [name]: _, ...others } = object;
  return changed === undefined ? others : { ...others, [name]: changed };
}

/** A cluster without settings of other clouds, which v1alpha3 cannot express. */
function inOneCloud(object: Values): Values {
  const word = valueAt(object, 'spec.cloudProvider');
  const foreign = (MOVES['Cluster'] ?? []).filter(({ v1alpha2, v1alpha3 }) => {
    const [, cloud] = /^spec\.cloudProvider\.(\w+)/.exec(v1alpha3 ?? '') ?? [];
    return cloud !== undefined && CLOUDS[cloud] !== word && valueAt(object, v1alpha2) !== undefined;
  });
  return foreign.reduce((one, { v1alpha2 }) => withValue(one, v1alpha2, undefined), object);
}

/** A claim is name=value. */
const withClaims = (object: Values): Values =>
  valueAt(object, 'spec.kubeAPIServer.oidcRequiredClaim') === undefined
    ? object
    : withValue(object, 'spec.kubeAPIServer.oidcRequiredClaim', ['groups=a=b', 'hd=example.com']);

const kindOf = ({ kind }: Values): string => String(kind);
const there = (object: Values) => convert(kindOf(object), object, 'v1alpha2');
const back = (object: Values) => convert(kindOf(object), object, 'v1alpha3');
const through = (object: Values): Values => back(there(object).value).value;

const v1alpha2 = anyObject('v1alpha2').map((object) =>
  kindOf(object) === 'Cluster' ? withClaims(inOneCloud(object)) : object,
);

describe('Any object of v1alpha2', () => {
  it('is converted without a fault into an object that v1alpha3 accepts', () => {
    fc.assert(
      fc.property(v1alpha2, (object) => {
        const { value, faults } = there(object);
        expect(faults).toEqual([]);
        expect(parseObjects(printObject(value), 'a.yaml').errors).toEqual([]);
      }),
      { numRuns: often(500, 10_000) },
    );
  });

  it('keeps every value that v1alpha3 supports when it is converted back', () => {
    fc.assert(
      fc.property(v1alpha2, (object) => {
        const { lost } = there(object);
        const left = new Map(leavesOf(through(object)));
        for (const [path, value] of leavesOf(object)) {
          if (lost.some((misfit) => isWithin(path, misfit.path)) || isNormalised(path)) continue;
          if (value === false || value === 0 || value === '') continue;
          expect([path, left.get(path)]).toEqual([path, value]);
        }
      }),
      { numRuns: often(500, 10_000) },
    );
  });

  it('does not change in a second round trip', () => {
    fc.assert(
      fc.property(v1alpha2, (object) => {
        const once = through(object);
        expect(there(once).lost).toEqual([]);
        expect(through(once)).toEqual(once);
      }),
      { numRuns: often(500, 10_000) },
    );
  });
});

describe('Any object of v1alpha3', () => {
  const v1alpha3 = anyObject('v1alpha3').map((object) => {
    const clouds = Object.entries(asRecord(valueAt(object, 'spec.cloudProvider'))).slice(0, 1);
    return kindOf(object) === 'Cluster' ? withValue(object, 'spec.cloudProvider', Object.fromEntries(clouds)) : object;
  });

  it('is converted without a fault or loss into an object that v1alpha2 accepts', () => {
    fc.assert(
      fc.property(v1alpha3, (object) => {
        const { objects, errors } = parseObjects(printObject(object), 'a.yaml');
        expect(errors).toEqual([]);
        const value = asRecord(objects[0]?.value);
        expect(parseObjects(printObject(value), 'b.yaml').errors).toEqual([]);
        expect(back(object).lost).toEqual([]);
        expect(there(value).lost).toEqual([]);
      }),
      { numRuns: often(500, 10_000) },
    );
  });

  it('does not change in a second round trip', () => {
    fc.assert(
      fc.property(v1alpha3, (object) => {
        const once = there(back(object).value).value;
        expect(there(back(once).value).value).toEqual(once);
      }),
      { numRuns: often(500, 10_000) },
    );
  });
});

it('Every path of the table is a field of its version, and is translated there and back', () => {
  for (const kind of kinds) {
    for (const move of MOVES[kind] ?? []) {
      expect([move.v1alpha2, fieldAt(KINDS[kind], move.v1alpha2)]).not.toContain(undefined);
      if (move.v1alpha3 === undefined) continue;
      expect([move.v1alpha3, fieldAt(v1alpha3Schema(kind), move.v1alpha3)]).not.toContain(undefined);
      const [old, current] = [move.v1alpha2, move.v1alpha3].map((path) => path.replaceAll('[]', '[3]'));
      expect(translatePath(kind, String(old), 'v1alpha2').path).toBe(current);
      expect(translatePath(kind, String(current), 'v1alpha3').path).toBe(old);
    }
  }
});

/** Values with several spellings have one of them after a conversion. */
const isNormalised = (path: string): boolean =>
  /^spec\.(role$|externalDns\.(disable|provider)$|additionalPolicies|externalPolicies|kubeAPIServer\.oidcRequiredClaim|hooks\[\d+\]\.roles|fileAssets\[\d+\]\.roles)/.test(
    path,
  );

const isWithin = (path: string, parent: string): boolean =>
  path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);

/** Returns every value, and the path of every object and list. */
function leavesOf(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  if (Array.isArray(value)) {
    return [[path, 'a list'], ...value.flatMap((item: unknown, index) => leavesOf(item, `${path}[${index}]`))];
  }
  const fields = Object.entries(value).flatMap(([name, child]) =>
    leavesOf(child, path === '' ? name : `${path}.${name}`),
  );
  return SAYS_NOTHING.test(path) ? fields : [[path, 'an object'], ...fields];
}

/** Objects that have no meaning beyond their fields. */
const SAYS_NOTHING = /^spec\.(api|networking|topology\.dns)$/;

function fieldAt(schema: Field, path: string): Field | undefined {
  return path.split('.').reduce<Field | undefined>((at, step) => {
    if (at === undefined || typeof at === 'string' || at.type !== 'object') return undefined;
    const field = at.fields[step.replace('[]', '')];
    if (!step.endsWith('[]')) return field;
    return field !== undefined && typeof field !== 'string' && field.type === 'list' ? field.item : undefined;
  }, schema);
}
