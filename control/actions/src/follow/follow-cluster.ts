import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { printable } from './printable.ts';
import { fetchBootReport } from './read-boot-report.ts';
import type { KubernetesApi } from '../access/kubernetes-api.ts';
import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import { isReady, validationFailures, type ValidationFailure } from '../validate/plan-validation.ts';

/** What a person following a cluster's start wants to know, each told once. */
export type Progress =
  | {
      readonly type: 'machine-task';
      readonly machine: string;
      readonly task: string;
      readonly result: string;
      readonly durationMs: number;
      readonly error?: string;
      readonly hint?: string;
    }
  | { readonly type: 'machine-converged'; readonly machine: string; readonly result: string; readonly tasks: number }
  /** What a machine wrote is no report. */
  | { readonly type: 'report-unreadable'; readonly machine: string; readonly why: string }
  | { readonly type: 'api-answers' }
  | { readonly type: 'node-ready'; readonly machine: string };

export interface FollowRequest {
  readonly store: StateStore;
  readonly cluster: string;
  readonly expected: () => Promise<readonly ExpectedNode[]>;
  /** Undefined while the API has no address yet. */
  readonly api: KubernetesApi | undefined;
  readonly onProgress: (progress: Progress) => void;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export interface FollowResult {
  readonly failures: readonly ValidationFailure[];
}

/** A store has no events to wait for. */
const POLL_MS = 250;

/**
 * Follows machines through their boot reports and nodes through the API until the cluster is valid or the deadline
 * has passed. Returns what is still wrong, nothing when all is well.
 */
export async function followCluster(request: FollowRequest): Promise<FollowResult> {
  const told = new Set<string>();
  const tell = (key: string, progress: Progress) => {
    if (told.has(key)) return;
    told.add(key);
    request.onProgress(progress);
  };
  const readVersions = new Map<string, string>();
  for (;;) {
    const [failures] = await Promise.all([observe(request, tell), tellBootReports(request, readVersions, tell)]);
    if (failures.length === 0 || Date.now() >= request.deadlineMs || request.signal.aborted) return { failures };
    await sleep(POLL_MS, undefined, { signal: request.signal }).catch(() => undefined);
  }
}

async function observe(
  request: FollowRequest,
  tell: (key: string, progress: Progress) => void,
): Promise<readonly ValidationFailure[]> {
  if (request.api === undefined) return [{ kind: 'API', name: request.cluster, message: 'has no address yet' }];
  try {
    const [expected, nodes, pods] = await Promise.all([
      request.expected(),
      request.api.nodes(request.signal),
      request.api.systemPods(request.signal),
    ]);
    tell('api', { type: 'api-answers' });
    for (const node of nodes) {
      if (isReady(node)) tell(`ready ${node.name}`, { type: 'node-ready', machine: node.name });
    }
    return validationFailures(expected, nodes, pods);
  } catch (error) {
    return [{ kind: 'API', name: request.cluster, message: messageOf(error) }];
  }
}

/** @param readVersions the version of each report that was read before */
async function tellBootReports(
  request: FollowRequest,
  readVersions: Map<string, string>,
  tell: (key: string, progress: Progress) => void,
): Promise<void> {
  const prefix = `${request.cluster}/nodes`;
  const entries = await request.store.list(prefix);
  for (const { path, version } of entries) {
    const found = /\/nodes\/([^/]+)\/boot-report\.json$/.exec(path)?.[1];
    if (found === undefined || readVersions.get(path) === version) continue;
    const machine = printable(found, 100);
    const fetched = await fetchBootReport(request.store, path);
    if (fetched === undefined) continue;
    const { report } = fetched;
    if (fetched.version !== undefined) readVersions.set(path, fetched.version);
    if ('unreadable' in report) {
      tell(`${machine} unreadable`, { type: 'report-unreadable', machine, why: report.unreadable });
      continue;
    }
    for (const record of report.tasks) {
      if (record.result === 'running') continue;
      tell(`${machine} ${report.startedAt} ${record.task} ${record.result}`, {
        type: 'machine-task',
        machine,
        task: record.task,
        result: record.result,
        durationMs: record.durationMs,
        ...(record.error === undefined ? {} : { error: record.error }),
        ...(record.hint === undefined ? {} : { hint: record.hint }),
      });
    }
    if (report.result !== 'running') {
      tell(`${machine} ${report.startedAt} converged`, {
        type: 'machine-converged',
        machine,
        result: report.result,
        tasks: report.tasks.length,
      });
    }
  }
}
