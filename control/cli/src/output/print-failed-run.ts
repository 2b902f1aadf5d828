import { causesOf, causesText } from '@kopsctl/tasks/causes.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { writeErr, writeProblem } from './terminal.ts';

export interface FailedRunPrinting {
  readonly message: string;
  readonly next?: string;
  /** The causes are on standard output already, with what else the run found. */
  readonly isTold?: boolean;
}

/** Says why a run failed, each cause once, and returns the exit code. A program gets the causes as fields. */
export function printFailedRun(result: RunResult, { message, next, isTold = false }: FailedRunPrinting): 1 {
  if (!isTold) writeErr(causesText(result));
  writeProblem({ message, next, details: { exitCode: 1, causes: causesOf(result) } });
  return 1;
}
