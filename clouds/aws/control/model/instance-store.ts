import { INSTANCE_STORE_DISKS } from './instance-store-disks.ts';

/** `/dev/sda` and `/dev/sdb` may be in use by the root device. */
const FIRST_LETTER = 'c'.codePointAt(0) ?? 0;

/**
 * The instance store volumes of a machine, with their device names. Machines with NVMe disks have them without a mapping as
 * well; kops maps them all, so that a launch template of kops stays as it is.
 */
export function instanceStore(machineType: string): readonly { readonly device: string; readonly ephemeral: string }[] {
  return Array.from({ length: diskCount(machineType) }, (_, index) => ({
    device: `/dev/sd${String.fromCodePoint(FIRST_LETTER + index)}`,
    ephemeral: `ephemeral${index}`,
  }));
}

function diskCount(machineType: string): number {
  const [family = '', size = ''] = machineType.split('.', 2);
  for (const part of (INSTANCE_STORE_DISKS[family] ?? '').split('; ')) {
    const [count, sizes = ''] = part.split(': ');
    if (sizes.split(' ').includes(size)) return Number(count);
  }
  return 0;
}
