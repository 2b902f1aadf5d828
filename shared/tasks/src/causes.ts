import type { RunResult } from './run-result.ts';

/** Names after which the others are only counted. */
const NAMED = 3;

/** Why tasks failed. */
export interface Cause {
  readonly cause: string;
  /** What failed because of it. */
  readonly tasks: readonly string[];
  /** What a person may do about it. */
  readonly next?: string;
}

/** Why a run failed: each cause once, however many tasks it stopped. */
export function causesOf({ tasks, deletions }: Pick<RunResult, 'tasks' | 'deletions'>): readonly Cause[] {
  const causes = new Map<string, Cause>();
  for (const { id, result, error = 'no reason known', hint } of [...tasks, ...deletions]) {
    if (result !== 'failed') continue;
    // What was attempted differs from task to task, and the task's name says it as well.
    const cause = error.replace(/^cannot [^:]+: /, '');
    const { tasks: stopped = [], next = hint } = causes.get(cause) ?? {};
    causes.set(cause, { cause, tasks: [...stopped, id], ...(next !== undefined && { next }) });
  }
  return [...causes.values()];
}

/** The same for people, with how much was not tried because of it. Empty where nothing failed. */
export function causesText(result: Pick<RunResult, 'tasks' | 'deletions'>): string {
  const causes = causesOf(result);
  const skipped = [...result.tasks, ...result.deletions].filter((one) => one.result === 'skipped').length;
  const texts = causes.map(({ cause, tasks, next }) => {
    const more = tasks.length > NAMED ? ` and ${tasks.length - NAMED} more` : '';
    const advice = next === undefined ? '' : `    Next: ${next}\n`;
    return `  ${cause}\n    ${tasks.slice(0, NAMED).join(', ')}${more}\n${advice}`;
  });
  const failed = causes.length === 0 ? '' : `Failed:\n${texts.join('')}`;
  if (skipped === 0) return failed;
  const reason = causes.length === 0 ? 'Not done' : '  not tried, as they need these';
  return `${failed}${reason}: ${skipped} ${skipped === 1 ? 'task' : 'tasks'}\n`;
}
