import { isDeepStrictEqual } from 'node:util';
import { type MachineReport, printMachineReport, type ReportedState } from '@kopsctl/node-plan/machine-report.ts';
import type { MachineState } from '@kopsctl/node-plan/machine-state.ts';

/** Programs log errors all the time: when nothing else has changed, they are kept this often. */
const ERRORS_EVERY_MS = 30 * 60_000;
/** While something does not work, a person may be looking for the reason: what is logged first is often only a consequence. */
const ERRORS_OF_TROUBLE_EVERY_MS = 20_000;
/** A clock that is set by more than this was wrong, and so are the times in the report that was kept. */
const CLOCK_JUMP_MS = 30_000;

export interface ReporterEnv {
  readonly node: string;
  readonly state: () => MachineState;
  /** The last errors of this machine's units. */
  readonly errors: (signal: AbortSignal) => Promise<readonly string[]>;
  /** The clock of this machine, which may be wrong. */
  readonly nowMs: () => number;
  /** A clock that nobody sets. */
  readonly monotonicMs: () => number;
}

interface Made {
  readonly report: MachineReport;
  /** When it was made, by the monotonic clock. */
  readonly atMs: number;
  /** By how much the machine's clock was ahead of the monotonic clock then. */
  readonly clockMs: number;
}

/** Makes the reports of this machine that are kept in the state store, when there is news. */
export class MachineReporter {
  readonly #env: ReporterEnv;
  #kept: Made | undefined;
  #made: Made | undefined;

  constructor(env: ReporterEnv) {
    this.#env = env;
  }

  /** A report that differs from the one that is kept; undefined if there is no news. */
  async news(signal: AbortSignal): Promise<Buffer | undefined> {
    const { node, errors, nowMs, monotonicMs } = this.#env;
    const state = reportedState(this.#env.state());
    const atMs = monotonicMs();
    const kept = this.#kept;
    const isSame =
      kept !== undefined &&
      isDeepStrictEqual(kept.report.state, state) &&
      Math.abs(nowMs() - atMs - kept.clockMs) < CLOCK_JUMP_MS;
    const errorsEveryMs = hasTrouble(state) ? ERRORS_OF_TROUBLE_EVERY_MS : ERRORS_EVERY_MS;
    if (isSame && atMs - kept.atMs < errorsEveryMs) return undefined;
    const said = await errors(signal);
    if (isSame && isDeepStrictEqual(said, kept.report.errors)) return undefined;
    const nowClockMs = nowMs();
    const report: MachineReport = {
      apiVersion: 'kopsctl.io/v1',
      kind: 'MachineReport',
      node,
      writtenAt: new Date(nowClockMs).toISOString(),
      state,
      errors: said,
    };
    this.#made = { report, atMs, clockMs: nowClockMs - monotonicMs() };
    return Buffer.from(printMachineReport(report));
  }

  /** Whether something does not work. */
  get isTroubled(): boolean {
    return hasTrouble(reportedState(this.#env.state()));
  }

  /** The latest news is in the store. */
  kept(): void {
    this.#kept = this.#made;
  }
}

/** Undefined fields are left out, as in the report that was kept. */
const reportedState = ({ units, certificates, clock, failures }: MachineState): ReportedState => ({
  ...(units !== undefined && { units }),
  ...(certificates !== undefined && { certificates }),
  ...(clock !== undefined && { clock }),
  failures,
});

const hasTrouble = ({ units = {}, failures }: ReportedState): boolean =>
  Object.keys(units).length + Object.keys(failures).length > 0;
