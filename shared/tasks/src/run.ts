import type { Clock } from './clock.ts';
import { findDeletions, removeAll } from './deletions.ts';
import type { TaskEvent } from './event.ts';
import { PermanentError } from './failure.ts';
import { buildGraph, type Graph } from './graph.ts';
import { KIND_CONCURRENCY, type Limits, limitsOf } from './limits.ts';
import { Places } from './places.ts';
import type { RunResult } from './run-result.ts';
import type { RunScope } from './run-scope.ts';
import type { Handler, Task } from './task.ts';
import { walk } from './walk.ts';

export interface RunInput<Env> {
  readonly tasks: readonly Task[];
  /** One per kind, in an order in which kinds depend only on earlier ones: removal goes backwards. */
  readonly handlers: readonly Handler<Env>[];
  readonly env: Env;
  /** `plan` finds and compares, and calls nothing that changes anything. */
  readonly mode: 'plan' | 'apply';
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** From 0 up to 1; spreads retries. */
  readonly random: () => number;
  /** Must not throw. */
  readonly onEvent?: (event: TaskEvent) => void;
  /** Called with each task as its handler gets it: its references replaced by outputs. Must not throw. */
  readonly onResolved?: (task: Task) => void;
  readonly limits?: Partial<Limits>;
  /** Remove what is ours and no longer wanted, once everything wanted is there. */
  readonly prune?: boolean;
}

/**
 * Walks the graph: each task starts the moment its needs are done. A task that fails takes only its
 * dependents with it. Resolves when no task is left; failures are in the result.
 *
 * @throws when the tasks do not form a graph, or have a kind without a handler; nothing is changed then
 */
export async function run<Env>(input: RunInput<Env>): Promise<RunResult> {
  const { mode, env, signal, clock, random, prune = false, onEvent: emit = () => {}, onResolved = () => {} } = input;
  const graph = buildGraph(input.tasks);
  const handlers = new Map(input.handlers.map((handler) => [handler.kind, handler]));
  refuseUnknownKinds(graph, handlers);
  const limits = limitsOf(mode, input.limits);
  // Limits of a kind (a disk, a lock) are for changes; a plan only reads.
  const capacityOf = (kind: string) =>
    (mode === 'apply' ? handlers.get(kind)?.concurrency : undefined) ?? KIND_CONCURRENCY;
  const places = new Places(limits.concurrency, capacityOf);
  const limitsOfKind = (kind: string): Limits => {
    const { deadlineMs = 0 } = handlers.get(kind) ?? {};
    const isUsual = mode === 'plan' || input.limits?.perTaskDeadlineMs !== undefined;
    return isUsual ? limits : { ...limits, perTaskDeadlineMs: Math.max(deadlineMs, limits.perTaskDeadlineMs) };
  };
  const common = { mode, env, signal, clock, random, limits, handlers, places, emit, onResolved };
  const scope: RunScope<Env> = { ...common, limitsOf: limitsOfKind };

  emit({ type: 'run-started', atMs: clock.nowMs(), tasks: [...graph.keys()] });
  const list = async () => findDeletions(graph, prune, scope);
  // A plan changes nothing, so what it lists stays true while it looks at the tasks.
  const [tasks, found] =
    mode === 'plan' ? await Promise.all([walk(graph, scope), list()]) : [await walk(graph, scope), await list()];
  const allDone = tasks.every(({ result }) => result !== 'failed' && result !== 'skipped');
  const deletions = mode === 'apply' && prune ? await removeAll(found, allDone, scope) : found;

  const changed =
    tasks.filter(({ steps }) => steps.length > 0).length +
    deletions.filter(({ result }) => result === 'planned' || result === 'removed').length;
  const failed = [...tasks, ...deletions].filter(({ result }) => result === 'failed').length;
  emit({ type: 'run-finished', atMs: clock.nowMs(), changed, failed });
  return { mode, tasks, deletions, changed, failed, cancelled: signal.aborted };
}

function refuseUnknownKinds<Env>(graph: Graph, handlers: ReadonlyMap<string, Handler<Env>>): void {
  const unknown = [...new Set([...graph.values()].map(({ task }) => task.kind))].filter((kind) => !handlers.has(kind));
  if (unknown.length === 0) return;
  throw new PermanentError({
    what: 'run the tasks',
    why: `there is no handler for tasks of kind ${unknown.join(', ')}; known kinds: ${[...handlers.keys()].join(', ')}`,
    next: 'the plan was made by another version: use the same version on both sides',
  });
}
