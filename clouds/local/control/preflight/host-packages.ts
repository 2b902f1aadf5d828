/** A Debian package that local machines need on the host, and the programs in it that are called. */
export interface HostPackage {
  readonly name: string;
  readonly why: string;
  readonly programs: readonly string[];
}

export const HOST_PACKAGES: readonly HostPackage[] = [
  { name: 'systemd-container', why: 'runs the machines', programs: ['systemd-nspawn'] },
  { name: 'mmdebstrap', why: "builds the machines' base image from Debian packages", programs: ['mmdebstrap'] },
  { name: 'catatonit', why: "is PID 1 of a cluster's namespaces", programs: ['catatonit'] },
  { name: 'iproute2', why: "creates the cluster's network", programs: ['ip', 'bridge'] },
  { name: 'nftables', why: 'keeps machines from impersonating others in that network', programs: ['nft'] },
  { name: 'util-linux', why: 'enters and leaves namespaces', programs: ['unshare', 'nsenter', 'setpriv', 'flock'] },
  { name: 'mount', why: 'mounts disks of machines and creates volumes', programs: ['mount', 'umount', 'losetup'] },
];
