import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { printable } from './printable.ts';
import { fetchBootReport } from './read-boot-report.ts';
import { within } from '../phases/within.ts';
import type { ClusterFindings } from '../validate/compare-cluster.ts';
import { isReady, type ValidationFailure } from '../validate/plan-validation.ts';

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
  /** What a machine wrote is not a report. */
  | { readonly type: 'report-unreadable'; readonly machine: string; readonly why: string }
  | { readonly type: 'api-answers' }
  | { readonly type: 'node-ready'; readonly machine: string }
  /** What keeps the cluster from being valid, a line each; empty while it only has to stay valid. */
  | { readonly type: 'wrong'; readonly failures: readonly string[] };

export interface FollowRequest {
  readonly store: StateStore;
  readonly cluster: string;
  /** Looks at the cluster. `isLast`: the time is over, and what this finds is the result. */
  readonly look: (isLast: boolean) => Promise<ClusterFindings>;
  readonly onProgress: (progress: Progress) => void;
  /** Whether what is wrong is told, whenever that changes. */
  readonly tellsFailures: boolean;
  /** How long to keep looking; at 0, there is only one look. */
  readonly waitMs: number;
  /** In this many looks in a row nothing may be wrong. */
  readonly count: number;
  /** The least time between two looks. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

export interface FollowedCluster extends ClusterFindings {
  /** A person ended it before the cluster was valid and the time was over: this is what was found before. */
  readonly isStopped?: true;
}

/** A store has no events to wait for. */
const POLL_MS = 250;
/** Looking takes no more than this share of the time, of the API server and of us: listing a thousand Nodes is much work. */
const LOOKING_SHARE = 1 / 3;
/** Reports of all machines that have booted since the last look. */
const REPORTS_TIMEOUT_MS = 30_000;

/**
 * Follows machines through their boot reports and nodes through the API until the cluster is valid, often enough in a
 * row, the time is over, or a person stops it. Returns what was found last.
 *
 * @throws the reason of the signal where it ends the first look
 */
export async function followCluster(request: FollowRequest): Promise<FollowedCluster> {
  const { waitMs, count, intervalMs, signal } = request;
  const deadlineMs = Date.now() + waitMs;
  const told = new Set<string>();
  const tell = (key: string, progress: Progress) => {
    if (told.has(key)) return;
    told.add(key);
    request.onProgress(progress);
  };
  const readVersions = new Map<string, string>();
  let [valid, wrong] = [0, ''];
  let last: ClusterFindings | undefined;
  for (;;) {
    const startedMs = Date.now();
    const isLast = startedMs >= deadlineMs;
    const [looked, unread] = await Promise.all([
      request.look(isLast),
      // A caller that does not wait gets no events of boots.
      waitMs === 0 ? [] : tellBootReports(request, readVersions, tell),
    ]);
    const found = { ...looked, failures: [...looked.failures, ...unread] };
    const { failures } = found;
    if (failures.length > 0 && signal.aborted) {
      // A look that was cut off finds that nobody answers.
      if (last === undefined) throw signal.reason;
      return { ...last, isStopped: true };
    }
    tellFound(found, tell);
    valid = failures.length === 0 ? valid + 1 : 0;
    if (valid >= count) return found;
    const endedBy = (end: string): ClusterFindings =>
      valid > 0 ? { ...found, failures: [notLongEnough(request.cluster, `${valid} of ${count}`, end)] } : found;
    if (isLast) return endedBy('the time ran out');
    last = endedBy('it was stopped');
    const now = failures.map(({ kind, name, message }) => `${kind} ${name}: ${message}`);
    if (request.tellsFailures && now.join('\n') !== wrong) request.onProgress({ type: 'wrong', failures: now });
    wrong = now.join('\n');
    const tookMs = Date.now() - startedMs;
    const pauseMs = Math.max(POLL_MS, intervalMs, tookMs * (1 / LOOKING_SHARE - 1));
    await sleep(Math.max(0, Math.min(pauseMs, deadlineMs - Date.now())), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { ...last, isStopped: true };
  }
}

const notLongEnough = (name: string, checks: string, end: string): ValidationFailure => ({
  kind: 'API',
  name,
  message: `was valid in only ${checks} checks in a row before ${end}`,
});

function tellFound({ failures, nodes }: ClusterFindings, tell: (key: string, progress: Progress) => void): void {
  if (!failures.some(({ kind }) => kind === 'API')) tell('api', { type: 'api-answers' });
  for (const node of nodes) {
    if (isReady(node)) tell(`ready ${node.name}`, { type: 'node-ready', machine: node.name });
  }
}

/**
 * Returns the failure that the store cannot be read, where that is so.
 *
 * @param readVersions the version of each report that was read before
 */
async function tellBootReports(
  request: FollowRequest,
  readVersions: Map<string, string>,
  tell: (key: string, progress: Progress) => void,
): Promise<readonly ValidationFailure[]> {
  const { store, cluster, signal } = request;
  try {
    await within(REPORTS_TIMEOUT_MS, `read the boot reports in ${store.url}`, signal, (ending) =>
      readBootReports(request, readVersions, tell, ending),
    );
    return [];
  } catch (error) {
    // A person has cut it off.
    if (signal.aborted) return [];
    return [{ kind: 'StateStore', name: cluster, message: messageOf(error) }];
  }
}

async function readBootReports(
  request: FollowRequest,
  readVersions: Map<string, string>,
  tell: (key: string, progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  const prefix = `${request.cluster}/nodes`;
  const entries = await request.store.list(prefix, signal);
  for (const { path, version } of entries) {
    const found = /\/nodes\/([^/]+)\/boot-report\.json$/.exec(path)?.[1];
    if (found === undefined || readVersions.get(path) === version) continue;
    const machine = printable(found, 100);
    const fetched = await fetchBootReport(request.store, path, signal);
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
