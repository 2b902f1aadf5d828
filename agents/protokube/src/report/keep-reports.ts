import { setTimeout as sleep } from 'node:timers/promises';
import { Wake } from '@kopsctl/agent/wake.ts';
import { machineReportPath } from '@kopsctl/node-plan/machine-report.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { keepReport } from '../broker/keep-report.ts';
import type { StateBoard } from '../state/state-board.ts';
import type { MachineReporter } from './machine-reporter.ts';

/** While a machine boots, much fails for a moment, and nobody has to read about that later. */
const AT_MOST_EVERY_MS = 15_000;
const LOOK_AGAIN_MS = 60_000;
/** While something does not work, the reason may be logged at any moment: kubelet starts an API server that ends again and again. */
const LOOK_AGAIN_OF_TROUBLE_MS = 5_000;

export interface KeepReportsEnv {
  readonly board: StateBoard;
  readonly reporter: MachineReporter;
  readonly store: StateStore;
}

/** For a machine that has the right to write there: keeps its report in the state store. */
export async function keepReports(
  { cluster, nodeName }: { readonly cluster: string; readonly nodeName: string },
  { board, reporter, store }: KeepReportsEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  board.ringOnChange(wake);
  for (;;) {
    await sleep(AT_MOST_EVERY_MS, undefined, { signal });
    const report = await reporter.news(signal);
    if (report !== undefined) {
      await keepReport(machineReportPath(cluster, nodeName), report, store, signal);
      reporter.kept();
    }
    await wake.wait(reporter.isTroubled ? LOOK_AGAIN_OF_TROUBLE_MS : LOOK_AGAIN_MS, signal);
  }
}
