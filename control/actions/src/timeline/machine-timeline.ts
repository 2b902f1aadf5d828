import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { refsIn } from '@kopsctl/tasks/references.ts';
import { type TaskId, taskId } from '@kopsctl/tasks/task.ts';
import { criticalPath } from '@kopsctl/tasks/timeline.ts';
import type { ReadBootReport } from '../follow/read-boot-report.ts';

/** One task of a boot. Times are milliseconds since the boot's first task could start. */
export interface TimelineTask {
  readonly task: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly result: ReadBootReport['tasks'][number]['result'];
  readonly error?: string;
  /** It belongs to the chain of tasks that decided when the boot was done. */
  readonly isCritical: boolean;
}

/** How one machine booted. */
export interface MachineTimeline {
  readonly node: string;
  /** Unix time in milliseconds; absent where the report says none that can be read. */
  readonly startMs?: number;
  readonly durationMs: number;
  readonly result: ReadBootReport['result'];
  /** False where its plan is no longer in the store: nobody knows then what waited for what. */
  readonly knowsCriticalPath: boolean;
  /** In the order in which they started. */
  readonly tasks: readonly TimelineTask[];
}

/** Lays a boot report beside the plan that says what waited for what. Pure. */
export function machineTimeline(node: string, report: ReadBootReport, plan: NodePlan | undefined): MachineTimeline {
  const startMs = timeOf(report.startedAt);
  const finishedMs = timeOf(report.finishedAt);
  const beganMs = startMs ?? firstOf(report.tasks) ?? finishedMs ?? 0;
  const entries = report.tasks.map(({ task, startedAt, durationMs, result, error }) => ({
    // Tasks are only compared with those of the plan: a name that is not among them belongs to nothing.
    task: task as TaskId,
    startMs: Math.max(0, (timeOf(startedAt) ?? beganMs) - beganMs),
    durationMs: Math.max(0, durationMs),
    attempts: 1,
    result,
    warnings: [],
    ...(error !== undefined && { error }),
  }));
  const needs = new Map(plan?.tasks.map((task) => [taskId(task), refsIn(task.props).map(({ ref }) => ref)]));
  const done = entries.filter(({ result }) => result !== 'skipped');
  const critical = new Set(
    plan === undefined ? [] : criticalPath(done, (task) => needs.get(task) ?? []).map(({ task }) => task),
  );
  const lastMs = Math.max(0, ...entries.map((entry) => entry.startMs + entry.durationMs));
  return {
    node,
    ...(startMs !== undefined && { startMs }),
    durationMs: finishedMs === undefined ? lastMs : Math.max(0, finishedMs - beganMs),
    result: report.result,
    knowsCriticalPath: plan !== undefined,
    tasks: entries
      .map(({ attempts: _, warnings: __, ...entry }) => ({ ...entry, isCritical: critical.has(entry.task) }))
      .toSorted((left, right) => left.startMs - right.startMs),
  };
}

/** When the first task began: what the times of a report without a start are counted from. */
function firstOf(tasks: ReadBootReport['tasks']): number | undefined {
  const times = tasks.flatMap(({ startedAt }) => timeOf(startedAt) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Undefined for a text that is not a time: machines write these texts. */
function timeOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
