/**
 * Letters of device names, in the order in which they are tried: those of kops first
 * (protokube/pkg/protokube/aws_volume.go), then the other single letters that EC2 reserves for EBS. The CSI driver uses
 * names of two letters.
 */
const LETTERS = 'uvwxyzfghijklmnopqrst';

/** An unused device name; undefined if all are in use. `sdX` and `xvdX` are the same device. */
export function freeDeviceName(taken: Iterable<string>): string | undefined {
  const letters = new Set([...taken].map((name) => /^\/dev\/(?:sd|xvd|hd)([a-z])\d*$/.exec(name)?.[1]));
  const letter = LETTERS.split('').find((one) => !letters.has(one));
  return letter === undefined ? undefined : `/dev/xvd${letter}`;
}

/**
 * The name of a volume inside the machine. On Nitro every volume is an NVMe disk in no fixed order, and udev names it
 * by its id; on Xen the volume has the name of its attachment.
 */
export function deviceOnMachine(isXen: boolean, volumeId: string, attachedAs: string): string {
  if (!isXen) return `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volumeId.replace('-', '')}`;
  return attachedAs.replace(/^\/dev\/(?:sd|hd)/, '/dev/xvd');
}
