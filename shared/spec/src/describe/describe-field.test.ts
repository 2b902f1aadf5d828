import { expect, test } from 'vitest';
import { KINDS } from '../kinds.ts';
import type { Field } from '../schema/field.ts';
import { CLUSTER_TEXTS } from './cluster-texts.ts';
import { describeField } from './describe-field.ts';
import { INSTANCE_GROUP_TEXTS } from './instance-group-texts.ts';

/** Every path below a field, without positions in lists. */
function pathsBelow(field: Field, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof field === 'string' || field.type === 'enum') return [];
  if (field.type !== 'object') return pathsBelow(field.item, path);
  return Object.entries(field.fields).flatMap(([name, of]) => [[...path, name], ...pathsBelow(of, [...path, name])]);
}

test.each([
  ['Cluster', CLUSTER_TEXTS],
  ['InstanceGroup', INSTANCE_GROUP_TEXTS],
] as const)(
  'every field right below the spec of %s has a text, and there is no text of another field',
  (kind, texts) => {
    const paths = pathsBelow(KINDS[kind]);
    const silent = paths.filter(
      (path) => path.length === 2 && path[0] === 'spec' && describeField(kind, path) === undefined,
    );
    expect(silent).toEqual([]);
    const known = new Set(paths.map((path) => path.slice(1).join('.')));
    expect(Object.keys(texts).filter((path) => !known.has(path))).toEqual([]);
  },
);

test('more than half of all fields of a Cluster have a text', () => {
  const paths = pathsBelow(KINDS.Cluster);
  expect(paths.filter((path) => describeField('Cluster', path) !== undefined).length / paths.length).toBeGreaterThan(
    1 / 2,
  );
});

test('a setting of a component is its flag', () => {
  expect(describeField('Cluster', ['spec', 'kubelet', 'maxPods'])).toBe('Sets --max-pods of the kubelet.');
});
