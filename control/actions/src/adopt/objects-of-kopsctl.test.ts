import { expect, test } from 'vitest';
import { objectsOfKopsctl } from './objects-of-kopsctl.ts';

const OF_KOPS = [
  'addons/bootstrap-channel.yaml',
  'backups/etcd/main/control/etcd-cluster-created',
  'cluster-completed.spec',
  'config',
  'igconfig/node/nodes/nodeupconfig.yaml',
  'kops-version.txt',
  'manifests/etcd/main-a.yaml',
  'pki/private/kubernetes-ca/keyset.yaml',
  'secrets/admin',
];
const OURS = [
  'addons/kopsctl/bootstrap-channel.yaml',
  'manifests/kopsctl/cluster.spec',
  'node-plans/1.json',
  'nodes/i-1/boot-report.json',
  'pki/issued/kubernetes-ca/keyset.yaml',
  'pki/private/gossip-records-ca/keyset.yaml',
  'pki/private/node-authority-ca/keyset.yaml',
];
const LAST = ['manifests/kopsctl/adopted.json', 'lock'];

test('what kops wrote, backups and what people stored are never among it, and the record and the lock go last', () => {
  const others = ['backups/etcd/main/2026/etcd.backup.gz', 'backups/etcd/main/control/status/a.json', 'secrets/docker'];
  const all = [...LAST, ...OF_KOPS, ...others, ...OURS];
  expect(objectsOfKopsctl(all, OF_KOPS, LAST)).toEqual([...OURS, ...LAST]);
});

test('the public half of a keyset that was there before is of kops', () => {
  const issued = 'pki/issued/kubernetes-ca/keyset.yaml';
  expect(objectsOfKopsctl([issued], [...OF_KOPS, issued], LAST)).toEqual([]);
  expect(objectsOfKopsctl([issued], undefined, LAST)).toEqual([]);
  expect(objectsOfKopsctl([issued], OF_KOPS, LAST)).toEqual([issued]);
});
