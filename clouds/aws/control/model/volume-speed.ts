/**
 * The speed of gp3 that is included in its price, and the minimum of io volumes (EC2 user guide, "Amazon EBS volume
 * types").
 */
const GP3 = { iops: 3000, throughput: 125 };
const MIN_IO_IOPS = 100;

/** The speed to set on a volume; empty if the type alone determines it. MiB/s. */
export function volumeSpeed(
  type: string,
  iops: number | undefined,
  throughput: number | undefined,
): { readonly iops?: number; readonly throughput?: number } {
  switch (type) {
    case 'gp3':
      return { iops: Math.max(iops ?? 0, GP3.iops), throughput: Math.max(throughput ?? 0, GP3.throughput) };
    case 'io1':
    case 'io2':
      return { iops: iops === undefined || iops < MIN_IO_IOPS ? MIN_IO_IOPS : iops };
    default:
      return {};
  }
}
