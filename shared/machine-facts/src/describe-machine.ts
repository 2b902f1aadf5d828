import type { MachineFacts } from './machine-facts.ts';

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
}

export function describeMachine(facts: MachineFacts | undefined): MachineDescription {
  const { processors, memory, disks, operatingSystem, virtualization } = facts ?? {};
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
  };
}

const gibibytes = (bytes: number): string => `${Number((bytes / GIB).toFixed(bytes < 100 * GIB ? 1 : 0))} GiB`;
