import { expect, test } from 'vitest';
import { runnableAddons } from '@kopsctl/model/addons/runnable-addons.ts';
import { localFacts } from '@kopsctl/model/addons/testdata/local-facts.ts';
import { ASSETS } from '@kopsctl/model/testdata/asset-index.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';

const STORAGE = 'storage-local.addons.k8s.io';

function storageOf(spec: ClusterSpec = {}) {
  return runnableAddons(localFacts(spec, ASSETS), []).addons.find(({ name }) => name === STORAGE);
}

test('local machines have a default storage class', () => {
  const text = JSON.stringify(storageOf());
  expect(text).toContain('"storageclass.kubernetes.io/is-default-class":"true"');
  expect(text).toContain('"image":"docker.io/rancher/local-path-provisioner:v0.0.30"');
});

test('the pods that create the folders of volumes run an image that the assets hold', () => {
  const config = storageOf()?.objects.find(({ kind }) => kind === 'ConfigMap');
  expect(JSON.stringify(config)).toContain('image: busybox:1.35');
});

test('users can manage storage classes themselves', () => {
  expect(storageOf({ cloudConfig: { manageStorageClasses: false } })).toBeUndefined();
});

test('the pods that create folders run on every machine, so their service account has no rights', () => {
  const objects = storageOf()?.objects ?? [];
  expect(JSON.stringify(objects)).toContain('--service-account-name=local-path-helper');
  expect(objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata['name'])).toContain(
    'local-path-helper',
  );
  const bindings = objects.filter(({ kind }) => kind.endsWith('RoleBinding'));
  expect(bindings.filter((one) => JSON.stringify(one['subjects']).includes('local-path-helper'))).toEqual([]);
});
