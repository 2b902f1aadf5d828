import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@kopsctl/agent/log.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { NodeEnv } from '@kopsctl/node-handlers/node-env.ts';
import { replaceFile } from '@kopsctl/node-handlers/replace-file.ts';
import { DRIFT_REPORT, type DriftedTask, type DriftReport } from '@kopsctl/node-plan/drift-report.ts';
import { run, type RunInput } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { TaskId } from '@kopsctl/tasks/task.ts';
import { logEvent } from '../log-event.ts';
import { formerRepair } from './former-repair.ts';
import { onlyTasks } from './only-tasks.ts';
import { planRepair, repairedTasks } from './plan-repair.ts';

export interface Check {
  readonly node: string;
  readonly planHash: string;
  /** Whether what differs is also repaired. */
  readonly repairs: boolean;
  readonly root: string;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Compares this machine with its plan and, if asked to, repairs it: only what differs, and the units whose files the repair
 * changed. Writes a report of the result. Without a repair, that report is all that changes.
 */
export async function checkMachine(input: Omit<RunInput<NodeEnv>, 'mode'>, check: Check): Promise<DriftReport> {
  const { root, node, planHash, repairs, nowMs, log } = check;
  const found = await run({ ...input, mode: 'plan' });
  input.signal.throwIfAborted();
  const { mends, differences } = planRepair(input.tasks, found.tasks, { repairs });
  for (const { task, what, outcome, why } of differences) log.warn('machine differs', { task, what, outcome, why });
  const mended = mends.length === 0 ? undefined : await repair(input, mends, log);
  const former = await ifThere(readFile(join(root, DRIFT_REPORT), 'utf8'));
  const repaired = repairOf(mended, nowMs()) ?? formerRepair(former ?? '', planHash);
  const report: DriftReport = {
    apiVersion: 'kopsctl.io/v1',
    kind: 'DriftReport',
    node,
    planHash,
    checkedAt: timeText(nowMs()),
    differences: [...differences, ...notMended(mended, mends)],
    ...(repaired !== undefined && { repaired }),
  };
  const text = `${sortedJson({ ...report }, 2)}\n`;
  await replaceFile(join(root, DRIFT_REPORT), new TextEncoder().encode(text), 0o644, undefined);
  log.info('checked', { differences: report.differences.length, repaired: mended?.changed ?? 0 });
  return report;
}

const repair = (input: Omit<RunInput<NodeEnv>, 'mode'>, mends: readonly TaskId[], log: Log): Promise<RunResult> =>
  run({
    ...input,
    handlers: onlyTasks(input.handlers, repairedTasks(input.tasks, mends)),
    mode: 'apply',
    onEvent: (event) => logEvent(log, event),
  });

function repairOf(mended: RunResult | undefined, nowMs: number): DriftReport['repaired'] {
  const tasks = (mended?.tasks ?? []).filter(({ result }) => result === 'changed').map(({ id }) => id);
  return tasks.length === 0 ? undefined : { at: timeText(nowMs), tasks };
}

/** The tasks that were to be mended, or restarted for a repair, and are still not as wanted. */
function notMended(mended: RunResult | undefined, mends: readonly TaskId[]): readonly DriftedTask[] {
  return (mended?.tasks ?? []).flatMap(({ id, result, error }): readonly DriftedTask[] => {
    const isLeft = result === 'failed' || (result === 'skipped' && mends.includes(id));
    return isLeft ? [{ task: id, what: 'repair it', outcome: 'failed', why: error ?? result }] : [];
  });
}

const timeText = (ms: number): string => new Date(ms).toISOString();
