import type { RunResult } from './run-result.ts';
import { countsOf } from './summary.ts';
import { sortedJson } from './sorted-json.ts';

/** A run's plan or outcome for programs: sorted keys, graph order, no times; byte-equal for equal results. */
export function renderPlanJson(result: RunResult): string {
  const { mode, changed, failed, cancelled } = result;
  const tasks = result.tasks.map(({ id, result, existed, steps, error, hint, warnings }) => {
    return { id, result, existed, steps, error, hint, warnings };
  });
  const deletions = result.deletions.map(({ id, owned, result, error, hint }) => {
    return { id, description: owned.description, result, error, hint };
  });
  // JSON leaves out undefined fields.
  return `${sortedJson({ mode, changed, failed, cancelled, counts: countsOf(result), tasks, deletions }, 2)}\n`;
}
