/**
 * The names that volumes are attached under, in the order in which they are tried: those of kops first
 * (protokube/pkg/protokube/aws_volume.go), then the others of one letter that EC2 leaves to EBS. The CSI driver takes
 * names of two letters.
 */
const LETTERS = 'uvwxyzfghijklmnopqrst';

/** A name under which nothing is attached yet; undefined when all are taken. `sdX` and `xvdX` are one place. */
export function freeDeviceName(taken: Iterable<string>): string | undefined {
  const letters = new Set([...taken].map((name) => /^\/dev\/(?:sd|xvd|hd)([a-z])\d*$/.exec(name)?.[1]));
  const letter = LETTERS.split('').find((one) => !letters.has(one));
  return letter === undefined ? undefined : `/dev/xvd${letter}`;
}

/**
 * What a machine calls a volume. On Nitro every volume is an NVMe disk whose number means nothing, and udev names it
 * by the volume; on Xen it is called as it was attached.
 */
export function deviceOnMachine(isXen: boolean, volumeId: string, attachedAs: string): string {
  if (!isXen) return `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volumeId.replace('-', '')}`;
  return attachedAs.replace(/^\/dev\/(?:sd|hd)/, '/dev/xvd');
}
