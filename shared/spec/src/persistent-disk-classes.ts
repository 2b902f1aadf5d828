/** The classes of volumes on GCE that kops supports through the storage driver. */
export const PERSISTENT_DISK_CLASSES = ['standard-csi', 'balanced-csi', 'balanced-storage', 'ssd-csi'] as const;

export type PersistentDiskClass = (typeof PERSISTENT_DISK_CLASSES)[number];
