import type { RunResult } from '@kopsctl/tasks/run-result.ts';

/** Names after which the others are only counted. */
const NAMED = 3;

/** Why a run failed: each cause once, however many tasks it stopped, with what to do about it. */
export function causesOf({ tasks, deletions }: Pick<RunResult, 'tasks' | 'deletions'>): string {
  const ended = [...tasks, ...deletions];
  const causes = new Map<
    string,
    { readonly cause: string; readonly ids: string[]; readonly hint: string | undefined }
  >();
  for (const { id, result, error = 'no reason known', hint } of ended) {
    if (result !== 'failed') continue;
    // What was attempted differs from task to task, and the task's name says it as well.
    const cause = error.replace(/^cannot [^:]+: /, '');
    const key = `${cause}\n${hint ?? ''}`;
    const same = causes.get(key) ?? { cause, ids: [], hint };
    causes.set(key, same);
    same.ids.push(id);
  }
  const skipped = ended.filter(({ result }) => result === 'skipped').length;
  const texts = [...causes.values()].map(({ cause, ids, hint }) => {
    const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
    const next = hint === undefined ? '' : `    Next: ${hint}\n`;
    return `  ${cause}\n    ${ids.slice(0, NAMED).join(', ')}${more}\n${next}`;
  });
  return `Failed:\n${texts.join('')}${skipped === 0 ? '' : `  not tried, as they need these: ${skipped} tasks\n`}`;
}
