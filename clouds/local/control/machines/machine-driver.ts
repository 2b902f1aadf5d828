import type { MachineRecord } from '../records/records.ts';
import type { MachinePaths } from '../records/cluster-paths.ts';

/** Machines find the assets here as files, so that none of them needs a copy. */
export const ASSETS_IN_MACHINE = '/opt/kops/assets';

/** What a driver needs for one run of a machine. */
export interface MachineStart {
  readonly record: MachineRecord;
  readonly paths: MachinePaths;
  /** Read-only layers of its root, top first, including its seed. */
  readonly layers: readonly string[];
  /** The folder on the host that is mounted at ASSETS_IN_MACHINE, if any. */
  readonly assetsDir?: string;
  /** The file of its network namespace, in which eth0 is configured. */
  readonly networkNamespace: string;
}

/** How a run of a machine ended. */
export type MachineExit =
  | { readonly kind: 'reboot' }
  | { readonly kind: 'power-off' }
  | { readonly kind: 'failure'; readonly why: string };

/** A running machine. */
export interface RunningMachine {
  readonly exited: Promise<MachineExit>;
  /** Asks the machine's systemd to shut down or to reboot; `exited` resolves when that is done. */
  powerOff(): Promise<void>;
  reboot(): Promise<void>;
  /** Ends the machine immediately. */
  kill(): void;
  /**
   * A command line that runs `argv` inside the machine with the rights of the machine's root, to be executed in the
   * namespaces of the driver.
   */
  execArgv(argv: readonly string[]): Promise<readonly string[]>;
  /** Makes a block device of the host available in the machine. */
  addDevice(name: string, link: string, major: number, minor: number): Promise<void>;
  removeDevice(name: string, link: string): Promise<void>;
}

/** Runs machines: currently as systemd-nspawn containers; virtual machines may follow. */
export interface MachineDriver {
  start(machine: MachineStart, onConsole: (chunk: Buffer) => void): Promise<RunningMachine>;
  /** Frees the kernel resources of a finished run. */
  release(machine: MachineStart): Promise<void>;
}
