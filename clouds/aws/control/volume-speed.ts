/**
 * The speed of gp3 that is included in its price, and the minimum of io volumes (EC2 user guide, "Amazon EBS volume
 * types"). EC2 refuses less.
 */
const GP3 = { iops: 3000, throughput: 125 };
const MIN_IO_IOPS = 100;

/** The speed of a volume. Throughput is in MiB/s. */
interface VolumeSpeed {
  readonly iops?: number;
  readonly throughput?: number;
}

/** The lowest speed of a type of volume, and the default; empty if the type alone determines it. */
export function leastSpeed(type: string): VolumeSpeed {
  switch (type) {
    case 'gp3':
      return GP3;
    case 'io1':
    case 'io2':
      return { iops: MIN_IO_IOPS };
    default:
      return {};
  }
}

/** The part of a completed speed that has to be set; empty if the type of the volume alone determines it. */
export function volumeSpeed(type: string, iops: number | undefined, throughput: number | undefined): VolumeSpeed {
  const least = leastSpeed(type);
  return {
    ...(least.iops === undefined || iops === undefined ? {} : { iops }),
    ...(least.throughput === undefined || throughput === undefined ? {} : { throughput }),
  };
}
