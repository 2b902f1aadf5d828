import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { timeline, type TimelineEntry } from '@kopsctl/tasks/timeline.ts';

/** How a node came to be what its plan says. Holds no properties of tasks, so nothing secret. */
export interface BootReport {
  readonly apiVersion: 'kopsctl.io/v1';
  readonly kind: 'BootReport';
  readonly node: string;
  readonly planHash: string;
  /** RFC 3339, as all times here. */
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
  /** Of one run, from its `run-started` on; the run may still be going. */
  readonly events: readonly TaskEvent[];
}

/** The report of a run, or of the part of it that has happened. */
export function bootReport({ node, planHash, events }: BootReportInput): BootReport {
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
    startedAt: timeText(startedMs),
    ...(finished === undefined ? {} : { finishedAt: timeText(finished.atMs) }),
    result: finished === undefined ? 'running' : ended,
    tasks: entries.map(taskOf),
  };
}

/** The text of boot-report.json; equal reports give equal text. */
export function printBootReport(report: BootReport): string {
  return `${sortedJson(report, 2)}\n`;
}

/** Where a node's latest report lies, relative to the state store's root. */
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
