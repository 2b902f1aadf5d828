import type { MachineFacts, NetworkInterface } from './machine-facts.ts';

const GIB = 2 ** 30;

/** A machine in a few words for a table; what is not known is `-`. */
export interface MachineDescription {
  /** e.g. `2 x AMD EPYC`. */
  readonly processors: string;
  /** e.g. `23.5 GiB`. */
  readonly memory: string;
  /** The sum of all disks and their number, e.g. `256 GiB in 1`. */
  readonly disks: string;
  /** e.g. `Debian GNU/Linux 12`. */
  readonly operatingSystem: string;
  readonly kernel: string;
  /** e.g. `KVM, systemd-nspawn`, or `none`. */
  readonly virtualization: string;
  /** Each interface with its kinds of addresses and, where it has one, its speed, e.g. `eth0 IPv4+IPv6 10 Gbit/s`. */
  readonly network: string;
}

export function describeMachine(facts: MachineFacts | undefined): MachineDescription {
  const { processors, memory, disks, operatingSystem, virtualization, network } = facts ?? {};
  return {
    processors: processors === undefined ? '-' : `${processors.count} x ${processors.model || processors.architecture}`,
    memory: memory === undefined ? '-' : gibibytes(memory.totalBytes),
    disks:
      disks === undefined ? '-' : `${gibibytes(disks.reduce((sum, { bytes }) => sum + bytes, 0))} in ${disks.length}`,
    operatingSystem:
      operatingSystem === undefined ? '-' : `${operatingSystem.name} ${operatingSystem.version}`.trim() || '-',
    kernel: operatingSystem?.kernel || '-',
    virtualization:
      virtualization === undefined
        ? '-'
        : [virtualization.hypervisor, virtualization.container].filter((one) => one !== '').join(', ') || 'none',
    network: network === undefined ? '-' : network.map((one) => interfaceOf(one)).join(', ') || 'none',
  };
}

function interfaceOf({ name, addresses, megabitsPerSecond }: NetworkInterface): string {
  const families = new Set(addresses.map((address) => (address.includes(':') ? 'IPv6' : 'IPv4')));
  const speed = megabitsPerSecond === undefined ? '' : bitRate(megabitsPerSecond);
  return [name, [...families].join('+'), speed].filter((part) => part !== '').join(' ');
}

const bitRate = (megabits: number): string => (megabits < 1000 ? `${megabits} Mbit/s` : `${megabits / 1000} Gbit/s`);

const gibibytes = (bytes: number): string => `${Number((bytes / GIB).toFixed(bytes < 100 * GIB ? 1 : 0))} GiB`;
