import { byKubernetes, type ByKubernetes } from '@kopsctl/model/addons/by-kubernetes.ts';

/** What differs between Kubernetes versions on GCE alone. */

/** The feature gate CSIMigrationGCE is on since 1.23: Kubernetes migrates persistent disks to the CSI driver. */
const DISKS_BY_DRIVER: ByKubernetes<boolean> = [
  { since: '1.20.0', use: false },
  { since: '1.23.0', use: true },
];

/** 1.28 is the oldest Kubernetes of kops 1.33, which is the oldest kops that has the newer release of the driver. */
const DISK_DRIVER: ByKubernetes<string> = [
  { since: '1.20.0', use: 'v1.10.13' },
  { since: '1.28.0', use: 'v1.22.1' },
];

/** Before 1.29, GCE's metadata proxy runs on nodes that have a label for it. */
const METADATA_PROXY: ByKubernetes<boolean> = [
  { since: '1.20.0', use: true },
  { since: '1.29.0', use: false },
];

export const persistentDisksByDriver = (version: string): boolean => byKubernetes(DISKS_BY_DRIVER, version);

/** The release of the persistent-disk driver. */
export const persistentDiskDriver = (version: string): string => byKubernetes(DISK_DRIVER, version);

export const hasMetadataProxy = (version: string): boolean => byKubernetes(METADATA_PROXY, version);
