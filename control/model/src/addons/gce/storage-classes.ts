import type { AddonObject } from '../addon-object.ts';

/** kops's class of volumes on GCE (addon storage-gce.addons.k8s.io). */
export const gceStorageObjects = (): readonly AddonObject[] => [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/gce-pd',
    parameters: { type: 'pd-standard' },
  },
];
