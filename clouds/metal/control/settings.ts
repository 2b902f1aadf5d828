import type { CloudSettings } from '@kopsctl/spec/unread/foreign-settings.ts';

/** The settings for machines that people enroll. Its subnets are places. */
export const METAL_SETTINGS: CloudSettings = {
  cluster: [
    'spec.containerd.gvisor',
    'spec.containerd.installCriCtl',
    'spec.containerd.installNerdCtl',
    'spec.containerd.nvidiaGPU',
    'spec.containerd.packages',
    'spec.containerd.runc.packages',
    'spec.externalDns',
    'spec.subnets',
  ],
  group: [
    'spec.containerd.gvisor',
    'spec.containerd.installCriCtl',
    'spec.containerd.installNerdCtl',
    'spec.containerd.nvidiaGPU',
    'spec.containerd.packages',
    'spec.containerd.runc.packages',
    'spec.image',
    'spec.machineType',
  ],
};
