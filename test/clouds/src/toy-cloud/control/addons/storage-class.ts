import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';

/** The class of volumes of the toy cloud. */
export const toyStorageClass: AddonObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'toy', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'toy.example.com/volumes',
};
