import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import type { PersistentDiskClass } from '../persistent-disk-classes.ts';

/** The name of the storage driver in storage classes and CSINodes. */
export const PERSISTENT_DISKS = 'pd.csi.storage.gke.io';

/** kops's storage classes of the driver; their parameters are immutable. */
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

/** Set on every class, so that a class that is no longer the default loses the mark. */
const isDefault = (value: boolean) => ({
  annotations: { 'storageclass.kubernetes.io/is-default-class': String(value) },
});

/** kops's storage class on GCE (addon storage-gce.addons.k8s.io), the default until the classes of the driver exist. */
export const gceStorageObjects = (facts: ClusterFacts): readonly AddonObject[] => [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', ...isDefault(!usesPersistentDiskDriver(facts)) },
    provisioner: 'kubernetes.io/gce-pd',
    parameters: { type: 'pd-standard' },
  },
];

/** The storage classes that are installed with the driver (addon gcp-pd-csi-driver.addons.k8s.io). */
export const persistentDiskClasses = ({ spec }: ClusterFacts): readonly AddonObject[] =>
  spec.cloudConfig?.manageStorageClasses === true
    ? Object.entries(PARAMETERS).map(([name, parameters]) => ({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name, ...isDefault(name === spec.cloudConfig?.gcpPDCSIDriver?.defaultStorageClassName) },
        provisioner: PERSISTENT_DISKS,
        parameters,
        reclaimPolicy: 'Delete',
        allowVolumeExpansion: true,
        // A disk is created in the zone of the pod that uses it.
        volumeBindingMode: 'WaitForFirstConsumer',
      }))
    : [];
