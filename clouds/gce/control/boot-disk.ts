/** Values of every machine's boot disk, the same for the API and Terraform. */
export const bootDisk = { deviceName: 'persistent-disks-0', mode: 'READ_WRITE', type: 'PERSISTENT' } as const;
