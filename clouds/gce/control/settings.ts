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
    'spec.project',
    'spec.subnets[].region',
  ],
  group: [
    'spec.associatePublicIp',
    'spec.gcpProvisioningModel',
    'spec.guestAccelerators',
    'spec.image',
    'spec.machineType',
    'spec.rootVolumeIops',
    'spec.rootVolumeThroughput',
    'spec.rootVolumeType',
  ],
};
