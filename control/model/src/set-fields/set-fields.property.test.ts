import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { KINDS } from '@kopsctl/spec/kinds.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { Field } from '@kopsctl/spec/schema/field.ts';
import * as fc from 'fast-check';
import { often } from '@kopsctl/test-suite/long.ts';
import { expect, test } from 'vitest';
import { setFields, unsetFields } from './set-fields.ts';

const cluster: Cluster = {
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.example.com' },
  spec: { etcdClusters: [{ name: 'main', etcdMembers: [{ name: 'a' }] }], sshAccess: ['10.0.0.0/8'] },
};

/** Every path of the schema, with the first item of each list and one entry of each map. */
function pathsOf(field: Field, path: string): readonly string[] {
  if (typeof field === 'string' || field.type === 'enum') return [path];
  if (field.type === 'list') return [path, ...pathsOf(field.item, `${path}[0]`)];
  if (field.type === 'map') return [path, ...pathsOf(field.item, `${path}["a.b/c"]`)];
  return [path, ...Object.entries(field.fields).flatMap(([name, child]) => pathsOf(child, `${path}.${name}`))];
}

const paths = pathsOf(KINDS.Cluster.fields.spec, 'spec').slice(1);
const path = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...paths) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);
const value = fc.oneof(
  fc.constantFrom('', 'true', 'false', '0', '17', '-1', '1.5', '100m', '1Gi', '30s', 'a,b', 'aws', 'null', '~', 'yes'),
  fc.string({ maxLength: 12 }),
);

function attempt(edit: () => Cluster): Cluster | ActionableError {
  try {
    return edit();
  } catch (error) {
    if (error instanceof ActionableError) return error;
    throw error;
  }
}

test('After any setting, the object matches the schema, or there is one clear error', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(path, value), { maxLength: 3 }), path, (settings, gone) => {
      const settled = settings.map(([at, text]) => `${at}=${text}`);
      const edited = attempt(() => unsetFields(setFields(cluster, settled), [gone]));
      if (edited instanceof ActionableError) return edited.next !== '';
      const { objects, errors } = parseObjects(printObject(edited), 'spec.yaml');
      expect(errors).toEqual([]);
      expect(objects[0]?.value).toEqual(edited);
      return true;
    }),
    { numRuns: often(1000, 20_000) },
  );
});

test('Every field of the schema that has a single value can be set', () => {
  const values = ['true', '1', '1Gi', '30s', ...allWords(KINDS.Cluster.fields.spec)];
  const leaves = paths.filter((at) => !paths.some((other) => other.startsWith(`${at}.`) || other.startsWith(`${at}[`)));
  const refused = leaves.filter((at) =>
    values.every((text) => attempt(() => setFields(cluster, [`${at}=${text}`])) instanceof ActionableError),
  );
  // An empty value creates an object without fields.
  expect(refused.filter((at) => attempt(() => setFields(cluster, [`${at}=`])) instanceof ActionableError)).toEqual([]);
});

function allWords(field: Field): readonly string[] {
  if (typeof field === 'string') return [];
  if (field.type === 'enum') return field.words;
  if (field.type === 'list' || field.type === 'map') return allWords(field.item);
  return [...new Set(Object.values(field.fields).flatMap(allWords))];
}
