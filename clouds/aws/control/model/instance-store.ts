/**
 * The number of instance store volumes of older machine types, which a launch template must map (EC2 user guide,
 * "Instance store volumes"). The NVMe disks of newer types need no mapping.
 */
const DISKS: Readonly<Record<string, number>> = {
  'c1.medium': 1,
  'c1.xlarge': 4,
  'c3.large': 2,
  'c3.xlarge': 2,
  'c3.2xlarge': 2,
  'c3.4xlarge': 2,
  'c3.8xlarge': 2,
  'd2.xlarge': 3,
  'd2.2xlarge': 6,
  'd2.4xlarge': 12,
  'd2.8xlarge': 24,
  'g2.2xlarge': 1,
  'g2.8xlarge': 2,
  'i2.xlarge': 1,
  'i2.2xlarge': 2,
  'i2.4xlarge': 4,
  'i2.8xlarge': 8,
  'm1.small': 1,
  'm1.medium': 1,
  'm1.large': 2,
  'm1.xlarge': 4,
  'm2.xlarge': 1,
  'm2.2xlarge': 1,
  'm2.4xlarge': 2,
  'm3.medium': 1,
  'm3.large': 1,
  'm3.xlarge': 2,
  'm3.2xlarge': 2,
  'r3.large': 1,
  'r3.xlarge': 1,
  'r3.2xlarge': 1,
  'r3.4xlarge': 1,
  'r3.8xlarge': 2,
  'x1.16xlarge': 1,
  'x1.32xlarge': 2,
  'x1e.xlarge': 1,
  'x1e.2xlarge': 1,
  'x1e.4xlarge': 1,
  'x1e.8xlarge': 1,
  'x1e.16xlarge': 1,
  'x1e.32xlarge': 2,
};

/** `/dev/sda` and `/dev/sdb` may be in use by the root device. */
const FIRST_LETTER = 'c'.codePointAt(0) ?? 0;

/** The instance store volumes of a machine, with their device names. */
export function instanceStore(machineType: string): readonly { readonly device: string; readonly ephemeral: string }[] {
  return Array.from({ length: DISKS[machineType] ?? 0 }, (_, index) => ({
    device: `/dev/sd${String.fromCodePoint(FIRST_LETTER + index)}`,
    ephemeral: `ephemeral${index}`,
  }));
}
