import { accountWith } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';

interface StorageClass {
  readonly name: string;
  readonly type: string;
  readonly provisioner: string;
  readonly isEncrypted: boolean;
  readonly isDefault?: boolean;
}

/**
 * kops's storage classes (addon storage-aws.addons.k8s.io): those of old clusters, which are kept, and the current
 * default.
 */
const CLASSES: readonly StorageClass[] = [
  { name: 'default', type: 'gp2', provisioner: 'kubernetes.io/aws-ebs', isEncrypted: false },
  { name: 'gp2', type: 'gp2', provisioner: 'kubernetes.io/aws-ebs', isEncrypted: false, isDefault: false },
  { name: 'kops-ssd-1-17', type: 'gp2', provisioner: 'kubernetes.io/aws-ebs', isEncrypted: true, isDefault: false },
  { name: 'kops-csi-1-21', type: 'gp3', provisioner: 'ebs.csi.aws.com', isEncrypted: true, isDefault: true },
];

/** The storage classes, and the permissions of the in-tree provisioner. */
export function storageObjects(): readonly AddonObject[] {
  return [
    ...CLASSES.map(({ name, type, provisioner, isEncrypted, isDefault }): AddonObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: {
        name,
        ...(isDefault === undefined
          ? {}
          : { annotations: { 'storageclass.kubernetes.io/is-default-class': String(isDefault) } }),
      },
      provisioner,
      parameters: { type, ...(isEncrypted ? { encrypted: 'true' } : {}) },
      // A volume is created in the zone of the pod that uses it.
      ...(isEncrypted ? { allowVolumeExpansion: true, volumeBindingMode: 'WaitForFirstConsumer' } : {}),
    })),
    ...accountWith('aws-cloud-provider', 'system:aws-cloud-provider', [
      { group: '', resources: ['nodes'], verbs: ['get', 'list', 'patch'] },
      { group: '', resources: ['events'], verbs: ['create', 'patch', 'update'] },
    ]),
  ];
}
