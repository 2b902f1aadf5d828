import { expect, test } from 'vitest';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { builtInAddons } from '@kopsctl/model/addons/built-in-addons.ts';
import { awsFacts } from '@kopsctl/model/addons/testdata/aws-facts.ts';

const DRIVER = 'gcp-pd-csi-driver.addons.k8s.io';

const objectsOn = (spec: ClusterSpec): readonly (AddonObject & { readonly addon: string })[] =>
  builtInAddons(awsFacts({ cloudProvider: 'gce', ...spec }), []).flatMap(({ name, objects }) =>
    objects.map((object) => ({ ...object, addon: name })),
  );

const driverText = (spec: ClusterSpec): string =>
  JSON.stringify(objectsOn(spec).filter(({ addon }) => addon === DRIVER));

/** The storage classes; an asterisk marks the default. */
const classes = (spec: ClusterSpec): readonly string[] =>
  objectsOn(spec)
    .filter(({ kind }) => kind === 'StorageClass')
    .map((object) => {
      const mark = JSON.stringify(object.metadata).includes('is-default-class":"true"') ? '*' : '';
      const { name } = object.metadata;
      return typeof name === 'string' ? `${name}${mark}` : '';
    });

test('the storage driver is installed where Kubernetes has migrated its disks to CSI, and only on GCE', () => {
  expect(driverText({ kubernetesVersion: '1.22.17' })).toBe('[]');
  expect(driverText({ kubernetesVersion: '1.23.0' })).toContain('csi-gce-pd-node');
  expect(driverText({ cloudConfig: { gcpPDCSIDriver: { enabled: false } } })).toBe('[]');
  expect(driverText({ cloudProvider: 'aws' })).toBe('[]');
});

test('exactly one storage class is the default, and the class of old clusters is kept', () => {
  expect(classes({ kubernetesVersion: '1.22.17' })).toEqual(['standard*']);
  const ours = ['standard-csi', 'balanced-csi*', 'balanced-storage', 'ssd-csi', 'standard'];
  expect(classes({})).toEqual(ours);
  expect(classes({ cloudConfig: { gcpPDCSIDriver: { defaultStorageClassName: 'balanced-storage' } } })).toEqual(
    ours.map((name) => ({ 'balanced-csi*': 'balanced-csi', 'balanced-storage': 'balanced-storage*' })[name] ?? name),
  );
});

test('if the user manages storage classes, the driver is installed without any', () => {
  const spec = { cloudConfig: { manageStorageClasses: false } };
  expect(classes(spec)).toEqual([]);
  expect(driverText(spec)).toContain('csi-gce-pd-controller');
});

test('images follow the Kubernetes version, the driver also the spec, and both kinds of pods run the same image', () => {
  const image = (name: string) => `"registry.k8s.io/${name}"`;
  const driver = (version: string) => image(`cloud-provider-gcp/gcp-compute-persistent-disk-csi-driver:${version}`);
  const old = driverText({ kubernetesVersion: '1.27.16' });
  expect(old.split(driver('v1.10.13'))).toHaveLength(3);
  expect(old).toContain(image('sig-storage/csi-provisioner:v3.4.0'));
  const recent = driverText({ kubernetesVersion: '1.28.0' });
  expect(recent.split(driver('v1.22.1'))).toHaveLength(3);
  expect(recent).toContain(image('sig-storage/csi-provisioner:v6.0.0'));
  const wished = driverText({ cloudConfig: { gcpPDCSIDriver: { version: 'v1.26.0' } } });
  expect(wished.split(driver('v1.26.0'))).toHaveLength(3);
});

test.each([
  ['v1.10.13', false],
  ['v1.22.1', true],
  ['v1.23.1-gke.20', true],
  ['canary', true],
])('driver %s gets flags for hyperdisks and caches only if it supports them', (version, knows) => {
  const text = driverText({ cloudConfig: { gcpPDCSIDriver: { version } } });
  expect(text.includes('--supports-dynamic-iops-provisioning=')).toBe(knows);
  expect(text.includes('--node-name=$(KUBE_NODE_NAME)')).toBe(knows);
  expect(text).toContain('--extra-labels=k8s-io-cluster-name=demo-example-com');
});

test('the snapshotter is installed where the cluster has the snapshot CRDs', () => {
  expect(driverText({})).not.toContain('csi-snapshotter');
  const text = driverText({ snapshotController: { enabled: true } });
  expect(text).toContain('sig-storage/csi-snapshotter:v8.2.1');
  expect(text).toContain('csi-gce-pd-snapshotter-role');
});

test('the controller uses host ports and can still be replaced in a cluster with one control plane', () => {
  const controller = objectsOn({}).find(({ addon, kind }) => addon === DRIVER && kind === 'Deployment');
  expect(controller?.['spec']).toMatchObject({
    replicas: 1,
    strategy: { rollingUpdate: { maxUnavailable: 1 } },
    template: { spec: { hostNetwork: true } },
  });
});
