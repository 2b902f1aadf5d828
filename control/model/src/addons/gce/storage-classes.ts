import type { PersistentDiskClass } from '@kopsctl/spec/persistent-disk-classes.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import type { AddonObject } from '../addon-object.ts';

/** The storage driver of GCE, as classes of volumes and machines name it. */
export const PERSISTENT_DISKS = 'pd.csi.storage.gke.io';

/** kops's classes that the driver serves; what a class says of its disks cannot be changed later. */
const PARAMETERS: Readonly<Record<PersistentDiskClass, Readonly<Record<string, string>>>> = {
  'standard-csi': { type: 'pd-standard' },
  'balanced-csi': { type: 'pd-balanced' },
  'balanced-storage': {
    type: 'hyperdisk-balanced',
    'provisioned-throughput-on-create': '250Mi',
    'provisioned-iops-on-create': '5000',
  },
  'ssd-csi': { type: 'pd-ssd' },
};

export const usesPersistentDiskDriver = ({ spec }: ClusterFacts): boolean =>
  spec.cloudConfig?.gcpPDCSIDriver?.enabled === true;

/** Written for every class, so that one that is the default no more is told so. */
const isDefault = (value: boolean) => ({
  annotations: { 'storageclass.kubernetes.io/is-default-class': String(value) },
});

/** kops's class of volumes on GCE (addon storage-gce.addons.k8s.io), the default until the driver's classes are there. */
export const gceStorageObjects = (facts: ClusterFacts): readonly AddonObject[] => [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', ...isDefault(!usesPersistentDiskDriver(facts)) },
    provisioner: 'kubernetes.io/gce-pd',
    parameters: { type: 'pd-standard' },
  },
];

/** The classes of the storage driver, which come with it (addon gcp-pd-csi-driver.addons.k8s.io). */
export const persistentDiskClasses = ({ spec }: ClusterFacts): readonly AddonObject[] =>
  spec.cloudConfig?.manageStorageClasses === false
    ? []
    : Object.entries(PARAMETERS).map(([name, parameters]) => ({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name, ...isDefault(name === spec.cloudConfig?.gcpPDCSIDriver?.defaultStorageClassName) },
        provisioner: PERSISTENT_DISKS,
        parameters,
        reclaimPolicy: 'Delete',
        allowVolumeExpansion: true,
        // A disk lies in the zone of the pod that uses it.
        volumeBindingMode: 'WaitForFirstConsumer',
      }));
