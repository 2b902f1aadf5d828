import type { RunResult } from './run-result.ts';
import { sortedJson } from './sorted-json.ts';
import type { Json } from './task.ts';

/** A run's plan or outcome for programs: sorted keys, graph order, no times; byte-equal for equal results. */
export function renderPlanJson(result: RunResult): string {
  const { mode, changed, failed, cancelled } = result;
  const tasks = result.tasks.map(({ id, result, existed, steps, error, hint, warnings }) => ({
    ...{ id, result, steps, warnings },
    ...defined({ existed, error, hint }),
  }));
  const deletions = result.deletions.map(({ id, owned, result, error, hint }) => ({
    ...{ id, description: owned.description, result },
    ...defined({ error, hint }),
  }));
  return `${sortedJson({ mode, changed, failed, cancelled, tasks, deletions } as unknown as Json, 2)}\n`;
}

function defined(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
