import type { MachineFacts } from '@kopsctl/machine-facts/machine-facts.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { timeline, type TimelineEntry } from '@kopsctl/tasks/timeline.ts';

/** How nodeup carried out a node's plan. It holds no properties of tasks, and so no secrets. */
export interface BootReport {
  readonly apiVersion: 'kopsctl.io/v1';
  readonly kind: 'BootReport';
  readonly node: string;
  readonly planHash: string;
  /** Hardware and operating system; absent until they are known, and in reports of earlier versions. */
  readonly machine?: MachineFacts;
  /** RFC 3339, like all times in the report. */
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly result: 'running' | 'done' | 'failed';
  /** In the order in which they started. */
  readonly tasks: readonly BootReportTask[];
}

export interface BootReportTask {
  readonly task: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly attempts: number;
  readonly result: TimelineEntry['result'];
  readonly error?: string;
  readonly hint?: string;
  readonly warnings?: readonly string[];
}

export interface BootReportInput {
  readonly node: string;
  readonly planHash: string;
  readonly machine?: MachineFacts;
  /** Of one run, from its `run-started` on; the run may still be in progress. */
  readonly events: readonly TaskEvent[];
}

/** The report of a run, or of the part of it that has happened so far. */
export function bootReport({ node, planHash, machine, events }: BootReportInput): BootReport {
  const entries = timeline(events);
  const startedMs = events[0]?.atMs ?? 0;
  const finished = events.find((event) => event.type === 'run-finished');
  const lacking = (finished?.failed ?? 0) > 0 || entries.some(({ result }) => result === 'skipped');
  const ended = lacking ? 'failed' : 'done';
  return {
    apiVersion: 'kopsctl.io/v1',
    kind: 'BootReport',
    node,
    planHash,
    ...(machine === undefined ? {} : { machine }),
    startedAt: timeText(startedMs),
    ...(finished === undefined ? {} : { finishedAt: timeText(finished.atMs) }),
    result: finished === undefined ? 'running' : ended,
    tasks: entries.map(taskOf),
  };
}

/** The text of boot-report.json. Equal reports give equal text. */
export function printBootReport(report: BootReport): string {
  return `${sortedJson(report, 2)}\n`;
}

/** The path of a node's latest report, relative to the state store's root. */
export function bootReportPath(cluster: string, nodeName: string): string {
  return `${cluster}/nodes/${nodeName}/boot-report.json`;
}

function taskOf({ task, startMs, durationMs, attempts, result, error, hint, warnings }: TimelineEntry): BootReportTask {
  return {
    task,
    startedAt: timeText(startMs),
    durationMs,
    attempts,
    result,
    ...(error === undefined ? {} : { error }),
    ...(hint === undefined ? {} : { hint }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
