import type { Log } from '@kopsctl/agent/log.ts';
import type { LogFields } from '@kopsctl/agent/log-line.ts';

/** What a planner has decided, as far as the log is concerned. */
export interface Decision {
  readonly action: string;
  readonly summary: string;
  /** What a person can do about it. */
  readonly next?: string;
}

/**
 * Logs the decisions of one loop: one line when the decision changes, and while it stays the same one for each look in a
 * verbose log alone. A decision with a next step for a person is an error.
 *
 * @param idle whether the decision to do nothing leaves a line
 */
export function decisionLog(log: Log, idle: 'logged' | 'silent'): (decision: Decision, fields?: LogFields) => void {
  let last = '';
  return ({ action, summary, next }, fields = {}) => {
    const line = `${action} ${summary} ${JSON.stringify(fields)}`;
    const isNews = line !== last;
    last = line;
    if (!isNews || (action === 'nothing' && idle === 'silent')) return log.debug(action, { ...fields, summary });
    if (next === undefined) log.info(action, { ...fields, summary });
    else log.error(action, { ...fields, summary, next });
  };
}
