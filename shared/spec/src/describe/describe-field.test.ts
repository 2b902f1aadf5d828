import { expect, test } from 'vitest';
import { KINDS } from '../kinds.ts';
import type { Field } from '../schema/field.ts';
import { CLUSTER_TEXTS } from './cluster-texts.ts';
import { describeField } from './describe-field.ts';
import { CLOUD_TEXTS } from './cloud-texts.ts';
import { INSTANCE_GROUP_TEXTS } from './instance-group-texts.ts';
import { NETWORK_TEXTS } from './network-texts.ts';
import { SOFTWARE_TEXTS } from './software-texts.ts';

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

test.each(['Cluster', 'InstanceGroup'] as const)('every field of %s has a text', (kind) => {
  expect(pathsBelow(KINDS[kind]).filter((path) => describeField(kind, path) === undefined)).toEqual([]);
});

test('every text has the name of a field', () => {
  const paths = [...pathsBelow(KINDS.Cluster), ...pathsBelow(KINDS.InstanceGroup)];
  const known = new Set(paths.flatMap((path) => [path.at(-1), path.slice(-2).join('.')]));
  const texts = { ...SOFTWARE_TEXTS, ...CLOUD_TEXTS, ...NETWORK_TEXTS };
  expect(Object.keys(texts).filter((name) => !known.has(name))).toEqual([]);
});

test('of a field that does nothing, the text says why', () => {
  expect(describeField('Cluster', ['spec', 'docker', 'liveRestore'])).toBe('Not used: Docker is started without it.');
});

test('a setting of a component is its flag', () => {
  expect(describeField('Cluster', ['spec', 'kubelet', 'maxPods'])).toBe('Sets --max-pods of the kubelet.');
});
