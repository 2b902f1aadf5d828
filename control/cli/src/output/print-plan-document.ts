import { renderPlanJson } from '@kopsctl/tasks/plan-json.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { stringify } from 'yaml';
import { writeDocument } from './terminal.ts';

/** How plans are printed. */
export type PlanFormat = 'text' | 'json' | 'yaml';

/** Prints a plan or its outcome for programs. */
export function printPlanDocument(result: RunResult, format: Exclude<PlanFormat, 'text'>): void {
  const json = renderPlanJson(result);
  writeDocument(format === 'json' ? json : stringify(JSON.parse(json)));
}
