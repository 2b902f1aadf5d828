/** kops's classes of volumes on GCE that the storage driver serves. */
export const PERSISTENT_DISK_CLASSES = ['standard-csi', 'balanced-csi', 'balanced-storage', 'ssd-csi'] as const;

export type PersistentDiskClass = (typeof PERSISTENT_DISK_CLASSES)[number];
