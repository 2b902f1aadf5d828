/** The hardware and the operating system of a machine. A fact that could not be found out is absent. */
export interface MachineFacts {
  readonly processors?: Processors;
  readonly memory?: Memory;
  readonly disks?: readonly Disk[];
  readonly virtualization?: Virtualization;
  readonly operatingSystem?: OperatingSystem;
  readonly network?: readonly NetworkInterface[];
}

export interface Processors {
  /** e.g. `AMD EPYC`. */
  readonly model: string;
  /** As Node.js names it: `x64`, `arm64`. */
  readonly architecture: string;
  /** Logical processors, as Kubernetes counts them. */
  readonly count: number;
  readonly physicalCores: number;
}

export interface Memory {
  readonly totalBytes: number;
  readonly swapBytes: number;
}

export interface Disk {
  /** e.g. `nvme0n1`. */
  readonly name: string;
  readonly bytes: number;
  readonly kind: 'SSD' | 'HDD' | '';
  readonly model: string;
}

export interface Virtualization {
  /** e.g. `KVM`; empty on hardware, and where the hypervisor hides. */
  readonly hypervisor: string;
  /** The container manager, as systemd detected it, e.g. `systemd-nspawn`; empty outside containers. */
  readonly container: string;
  /** Manufacturer and model of the machine, e.g. `Amazon EC2 t3.medium`. */
  readonly product: string;
}

export interface OperatingSystem {
  /** e.g. `Debian GNU/Linux`. */
  readonly name: string;
  /** e.g. `12`. */
  readonly version: string;
  readonly kernel: string;
}

export interface NetworkInterface {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly mac: string;
  readonly mtu: number;
  /** Absent where the interface has none, as is common for virtual ones. */
  readonly megabitsPerSecond?: number;
}

export type FactName = keyof MachineFacts;

export const FACT_NAMES = [
  'processors',
  'memory',
  'disks',
  'virtualization',
  'operatingSystem',
  'network',
] as const satisfies readonly FactName[];
