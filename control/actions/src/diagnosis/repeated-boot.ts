import type { Finding, NodeEvidence } from './evidence.ts';
import { saidBy } from './journal.ts';
import { causeOf } from './known-causes.ts';

const FAILED = /task failed, will retry task=(\S+) attempt=\d+ error="?(.*)/;
const ENDED = /nodeup: run finished|task done task=(\S+)/;

/**
 * What nodeup cannot carry out when a machine boots again: the report of that boot comes to the store only once the machine is let
 * in, and the former one says that all is done. Pure.
 */
export function repeatedBootFindings({ report, journal }: NodeEvidence): readonly Finding[] {
  // Otherwise the report tells more.
  if (report === undefined || 'unreadable' in report || report.result !== 'done') return [];
  const failing = new Map<string, string>();
  for (const line of saidBy(journal, 'nodeup')) {
    const [, task = '', error = ''] = FAILED.exec(line) ?? [];
    if (task !== '') failing.set(task, error);
    const [ended, done] = ENDED.exec(line) ?? [];
    if (ended !== undefined && done === undefined) failing.clear();
    if (done !== undefined) failing.delete(done);
  }
  return [...failing].map(([task, error]) => {
    const cause = causeOf(error);
    return {
      what: `the machine has booted again, and nodeup cannot carry out ${task}${cause === undefined ? '' : `: ${cause.what}`}`,
      because: [error],
      next: cause?.next ?? 'look at `journalctl -u nodeup` on the machine; nodeup goes on by itself once it can',
    };
  });
}
