import { objectCondition } from '@kopsctl/clouds/gce/control/object-condition.ts';
import { expect, test } from 'vitest';
import { mayUse, type StorageBinding, type StorageRight } from './storage-rights.ts';

const NODE = 'serviceAccount:node@acme.iam.gserviceaccount.com';
const bucket = 'state';
const bindings: readonly StorageBinding[] = [
  {
    role: 'roles/storage.objectViewer',
    members: [NODE],
    condition: objectCondition(bucket, { title: 'node-reads', prefixes: ['demo/worker-plans/', 'assets/'] }),
  },
  { role: 'roles/storage.legacyBucketReader', members: ['serviceAccount:control-plane'] },
];

test.each<[StorageRight, string | undefined, boolean]>([
  ['get', 'demo/worker-plans/a.json', true],
  ['get', 'assets/kubelet', true],
  ['get', 'demo/pki/private/kubernetes-ca/keyset.yaml', false],
  ['create', 'demo/worker-plans/a.json', false],
  ['list', undefined, false],
])('a member that reads in two folders may %s %s: %s', (right, object, expected) => {
  expect(mayUse(bindings, NODE, right, { bucket, object })).toBe(expected);
});

test('whoever may list names may read no object', () => {
  const may = (right: StorageRight, object?: string) =>
    mayUse(bindings, 'serviceAccount:control-plane', right, { bucket, object });
  expect([may('list'), may('get', 'assets/kubelet')]).toEqual([true, false]);
});
