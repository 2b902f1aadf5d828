import type { MachineRecord } from './records.ts';
import type { MachinePaths } from './cluster-paths.ts';

/** Where machines find the assets as files: an image with everything baked in, without a copy of it for each machine. */
export const ASSETS_IN_MACHINE = '/opt/kops/assets';

/** What a driver needs to run one machine once. */
export interface MachineStart {
  readonly record: MachineRecord;
  readonly paths: MachinePaths;
  /** Read-only layers of its root, top first, its seed included. */
  readonly layers: readonly string[];
  /** Folder on the host that the machine sees at ASSETS_IN_MACHINE, where there is one. */
  readonly assetsDir?: string;
  /** File of its network namespace; eth0 in it is configured. */
  readonly networkNamespace: string;
}

/** How a run of a machine ended. */
export type MachineExit =
  { readonly kind: 'reboot' } | { readonly kind: 'power-off' } | { readonly kind: 'failure'; readonly why: string };

/** A machine at work. */
export interface RunningMachine {
  readonly exited: Promise<MachineExit>;
  /** Asks the machine's systemd to shut down or to reboot; `exited` tells when it did. */
  powerOff(): Promise<void>;
  reboot(): Promise<void>;
  /** Pulls the plug. */
  kill(): void;
  /** A command line that runs `argv` inside the machine with no more rights than its own root has; to be run beside the driver. */
  execArgv(argv: readonly string[]): Promise<readonly string[]>;
  /** Shows a block device of the host to the machine. */
  addDevice(name: string, link: string, major: number, minor: number): Promise<void>;
  removeDevice(name: string, link: string): Promise<void>;
}

/** A way of running machines: containers by systemd-nspawn now, virtual machines may follow. */
export interface MachineDriver {
  start(machine: MachineStart, onConsole: (chunk: Buffer) => void): Promise<RunningMachine>;
  /** Frees what a finished run leaves in the kernel. */
  release(machine: MachineStart): Promise<void>;
}
