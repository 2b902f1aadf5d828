import { expect, test } from 'vitest';
import { walkField } from './walk-fields.ts';

test('a field of another version has its text, its type and its default', () => {
  const defaults = new Map<string, unknown>([
    ['spec.rootVolumeSize', 64],
    ['spec.networking.cilium.disableMasquerade', false],
  ]);
  expect(walkField('InstanceGroup', 'spec.rootVolume', { version: 'v1alpha3', defaults })).toMatchObject({
    type: 'object',
    text: 'The root volume.',
    fields: expect.arrayContaining([
      { path: 'spec.rootVolume.size', type: 'int32', text: 'The size of the root volume in GiB.', default: 64 },
    ]),
  });
  expect(walkField('Cluster', 'spec.networking.cilium.masquerade', { version: 'v1alpha3', defaults })).toMatchObject({
    default: true,
  });
});

test('a field of an item of a list is found with and without its position', () => {
  for (const path of ['spec.etcdClusters.etcdMembers.kmsKeyID', 'spec.etcdClusters[0].etcdMembers[1].kmsKeyID']) {
    expect(walkField('Cluster', path, { version: 'v1alpha3' })).toMatchObject({
      path: 'spec.etcdClusters.etcdMembers.kmsKeyID',
      text: 'The key that encrypts the volume.',
    });
  }
});

/** The error of a walk, with what to do next. */
function refusal(...args: Parameters<typeof walkField>): string {
  try {
    walkField(...args);
  } catch (error) {
    return error instanceof Error ? `${error.message} ${String(Object(error).next)}` : '';
  }
  return '';
}

test.each([
  [
    'InstanceGroup',
    'spec.rootVolume',
    'v1alpha2',
    'v1alpha2 has no such field: write spec.rootVolumeEncryption, spec.rootVolumeEncryptionKey, spec.rootVolumeIops, …',
    '`kopsctl explain instancegroup spec.rootVolume --api-version v1alpha3`',
  ],
  ['InstanceGroup', 'spec.rootVolume.size', 'v1alpha2', 'write spec.rootVolumeSize', '--api-version v1alpha3`'],
  ['InstanceGroup', 'spec.rootVolumeSize', 'v1alpha3', 'write spec.rootVolume.size', '--api-version v1alpha2`'],
  ['Cluster', 'spec.networking.subnets[0].cidr', 'v1alpha2', 'write spec.subnets[0].cidr', '--api-version v1alpha3`'],
] as const)('of %s, %s is refused in %s with its name there', (kind, path, version, why, next) => {
  const text = refusal(kind, path, { version });
  expect(text).toContain(why);
  expect(text).toContain(next);
});

test('a misspelled field is refused with the nearest name', () => {
  expect(refusal('Cluster', 'spec.networkin', { version: 'v1alpha3' })).toContain('did you mean spec.networking?');
});
