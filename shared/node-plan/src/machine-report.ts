import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { MachineState } from './machine-state.ts';

/**
 * What protokube keeps of its machine in the state store, beside the boot report: it can still be read when the API does not answer,
 * and after the machine is gone. Holds nothing secret.
 */
export interface MachineReport {
  readonly apiVersion: 'kopsctl.io/v1';
  readonly kind: 'MachineReport';
  readonly node: string;
  /** RFC 3339, by the clock of the machine: compared with the time in the store, this tells whether that clock is right. */
  readonly writtenAt: string;
  readonly state: ReportedState;
  /** The last errors that units logged, as lines of the journal, the newest last. */
  readonly errors: readonly string[];
}

/** What explains why a machine does not work; the rest of its state changes too often to be kept. */
export type ReportedState = Pick<MachineState, 'units' | 'certificates' | 'clock' | 'failures'>;

/** The text of machine-report.json. Equal reports give equal text. */
export const printMachineReport = (report: MachineReport): string => `${sortedJson(report, 2)}\n`;

/** The path of a node's latest report, relative to the state store's root. */
export const machineReportPath = (cluster: string, nodeName: string): string =>
  `${cluster}/nodes/${nodeName}/machine-report.json`;
