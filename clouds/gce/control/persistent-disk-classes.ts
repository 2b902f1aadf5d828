/** The classes of volumes that the storage driver makes, as in kops. */
export const PERSISTENT_DISK_CLASSES = ['standard-csi', 'balanced-csi', 'balanced-storage', 'ssd-csi'] as const;

export type PersistentDiskClass = (typeof PERSISTENT_DISK_CLASSES)[number];
