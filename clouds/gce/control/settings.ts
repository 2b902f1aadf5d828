import type { CloudSettings } from '@kopsctl/spec/unread/foreign-settings.ts';

/** The settings for GCE. */
export const GCE_SETTINGS: CloudSettings = {
  cluster: [
    'spec.cloudConfig.gceServiceAccount',
    'spec.cloudConfig.gceUseStartupScript',
    'spec.cloudConfig.gcpPDCSIDriver',
    'spec.cloudConfig.multizone',
    'spec.cloudConfig.nodeInstancePrefix',
    'spec.cloudConfig.nodeTags',
    'spec.containerd.installCriCtl',
    'spec.containerd.installNerdCtl',
    'spec.containerd.packages',
    'spec.containerd.runc.packages',
    'spec.etcdClusters[].etcdMembers[].volumeIops',
    'spec.etcdClusters[].etcdMembers[].volumeThroughput',
    'spec.etcdClusters[].etcdMembers[].volumeType',
    'spec.externalDns',
    'spec.project',
    'spec.subnets',
    'spec.subnets[].region',
  ],
  group: [
    'spec.associatePublicIp',
    'spec.containerd.installCriCtl',
    'spec.containerd.installNerdCtl',
    'spec.containerd.packages',
    'spec.containerd.runc.packages',
    'spec.gcpProvisioningModel',
    'spec.guestAccelerators',
    'spec.image',
    'spec.machineType',
    'spec.rootVolumeIops',
    'spec.rootVolumeThroughput',
    'spec.rootVolumeType',
  ],
};
