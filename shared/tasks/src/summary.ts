import type { RunResult } from './run-result.ts';

/** How much a run changed, or would change. */
export interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
}

/** Counts things, not steps: what happens to each thing is counted once. */
export function countsOf({ mode, tasks, deletions }: Pick<RunResult, 'mode' | 'tasks' | 'deletions'>): Counts {
  const acted = tasks.filter(({ result, steps }) => steps.length > 0 && result !== 'failed');
  const gone = mode === 'plan' ? 'planned' : 'removed';
  return {
    added: acted.filter(({ existed }) => existed === false).length,
    changed: acted.filter(({ existed }) => existed !== false).length,
    deleted: deletions.filter(({ result }) => result === gone).length,
  };
}

/** `3 to add, 1 to change, 0 to delete`, and of what was done `3 added, 1 changed, 0 deleted`. */
export function summaryOf(result: Pick<RunResult, 'mode' | 'tasks' | 'deletions'>): string {
  const { added, changed, deleted } = countsOf(result);
  return result.mode === 'plan'
    ? `${added} to add, ${changed} to change, ${deleted} to delete`
    : `${added} added, ${changed} changed, ${deleted} deleted`;
}
