import type { Clock } from './clock.ts';
import { converge } from './converge.ts';
import { findDeletions, removeAll } from './deletions.ts';
import type { TaskEvent } from './event.ts';
import { PermanentError } from './failure.ts';
import { buildGraph, type Graph, type GraphNode } from './graph.ts';
import { KIND_CONCURRENCY, type Limits, limitsOf } from './limits.ts';
import { Places } from './places.ts';
import { outputLookup, resolveRefs } from './references.ts';
import type { RunResult, TaskResult } from './run-result.ts';
import type { Handler, Outputs, Step, Task, TaskId } from './task.ts';
import { type TryEnv, tryUntilDeadline } from './try-until.ts';

export interface RunInput<Env> {
  readonly tasks: readonly Task[];
  /** One per kind. Things are removed kind by kind, from the last handler to the first. */
  readonly handlers: readonly Handler<Env>[];
  readonly env: Env;
  /** `plan` finds and compares, and calls nothing that changes anything. */
  readonly mode: 'plan' | 'apply';
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** From 0 up to 1; spreads retries. */
  readonly random: () => number;
  readonly onEvent?: (event: TaskEvent) => void;
  readonly limits?: Partial<Limits>;
  /** Remove what is ours and no longer wanted, once everything wanted is there. */
  readonly prune?: boolean;
}

/** What the parts of one run share. */
export interface Run<Env> extends TryEnv {
  readonly mode: 'plan' | 'apply';
  readonly env: Env;
  readonly handlers: ReadonlyMap<string, Handler<Env>>;
  readonly places: Places;
  readonly emit: (event: TaskEvent) => void;
}

/**
 * Walks the graph: each task starts the moment its needs are done. A task that fails takes only its
 * dependents with it. Resolves when nothing is left to do; failures are in the result.
 *
 * @throws when the tasks are no graph, or are of a kind nobody handles; nothing was touched then
 */
export async function run<Env>(input: RunInput<Env>): Promise<RunResult> {
  const { mode, env, signal, clock, random, prune = false, onEvent: emit = () => {} } = input;
  const graph = buildGraph(input.tasks);
  const handlers = new Map(input.handlers.map((handler) => [handler.kind, handler]));
  refuseUnknownKinds(graph, handlers);
  const limits = limitsOf(mode, input.limits);
  const places = new Places(limits.concurrency, (kind) => handlers.get(kind)?.concurrency ?? KIND_CONCURRENCY);
  const shared: Run<Env> = { mode, env, signal, clock, random, limits, handlers, places, emit };

  emit({ type: 'run-started', atMs: clock.nowMs(), tasks: [...graph.keys()] });
  const tasks = await walk(graph, shared);
  const found = await findDeletions(graph, prune, shared);
  const allDone = tasks.every(({ result }) => result !== 'failed' && result !== 'skipped');
  const deletions = mode === 'apply' && prune ? await removeAll(found, allDone, shared) : found;

  const changed =
    tasks.filter((task) => task.result === 'changed' || task.result === 'planned' || task.steps.length > 0).length +
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
    why: `nothing here handles tasks of kind ${unknown.join(', ')}; known kinds: ${[...handlers.keys()].join(', ')}`,
    next: 'the plan was made by another version: use the same version on both sides',
  });
}

async function walk<Env>(graph: Graph, shared: Run<Env>): Promise<readonly TaskResult[]> {
  const outputs = new Map<TaskId, Outputs>();
  const running = new Map<TaskId, Promise<TaskResult>>();
  let rank = 0;
  // In graph order, so that whatever a task needs is in the map before it.
  for (const node of graph.values()) {
    const needs = node.needs.map((id) => running.get(id));
    running.set(node.id, afterNeeds(node, rank++, needs, outputs, shared));
  }
  return Promise.all(running.values());
}

async function afterNeeds<Env>(
  node: GraphNode,
  rank: number,
  needs: readonly (Promise<TaskResult> | undefined)[],
  outputs: Map<TaskId, Outputs>,
  shared: Run<Env>,
): Promise<TaskResult> {
  const lacking = (await Promise.all(needs)).find((need) => need?.result === 'failed' || need?.result === 'skipped');
  if (shared.signal.aborted) return skip(node, 'the run was cancelled', shared);
  if (lacking !== undefined)
    return skip(node, `${lacking.id} ${lacking.result === 'failed' ? 'failed' : 'was skipped'}`, shared);
  return runTask(node, rank, outputs, shared);
}

function skip<Env>(node: GraphNode, because: string, { emit, clock }: Run<Env>): TaskResult {
  emit({ type: 'task-skipped', atMs: clock.nowMs(), task: node.id, because });
  return { id: node.id, result: 'skipped', steps: [], attempts: 0, error: because, warnings: [] };
}

async function runTask<Env>(
  node: GraphNode,
  rank: number,
  outputs: Map<TaskId, Outputs>,
  shared: Run<Env>,
): Promise<TaskResult> {
  const { id, task } = node;
  const { mode, env, clock, emit } = shared;
  const handler = shared.handlers.get(task.kind);
  if (handler === undefined) throw new Error(`no handler for ${id}`);
  const applied: Step[] = [];
  let existed: boolean | undefined;
  let startMs: number | undefined;

  const tried = await tryUntilDeadline(
    {
      enter: async () => shared.places.enter(task.kind, rank),
      attempt: async (attempt, signal) => {
        startMs ??= clock.nowMs();
        emit({ type: 'task-started', atMs: clock.nowMs(), task: id, attempt });
        const props = resolveRefs(task.props, outputLookup(outputs, mode));
        return converge({
          ...{ handler, name: task.name, props, env, mode, signal },
          onPlanned: (steps, found) => {
            existed ??= found;
            emit({ type: 'task-planned', atMs: clock.nowMs(), task: id, steps });
          },
          onApplied: (step) => {
            applied.push(step);
            emit({ type: 'step-applied', atMs: clock.nowMs(), task: id, step });
          },
        });
      },
      onRetry: ({ attempt, error, inMs, notYet }) =>
        emit({
          type: 'task-retrying',
          atMs: clock.nowMs(),
          task: id,
          attempt,
          error,
          inMs,
          ...(notYet ? { notYet } : {}),
        }),
    },
    shared,
  );

  const endMs = clock.nowMs();
  const { attempts } = tried;
  const record = {
    id,
    attempts,
    endMs,
    ...(startMs === undefined ? {} : { startMs }),
    ...(existed === undefined ? {} : { existed }),
  };
  switch (tried.outcome) {
    case 'cancelled': {
      const because = 'the run was cancelled';
      emit({ type: 'task-skipped', atMs: endMs, task: id, because });
      return { ...record, result: 'skipped', steps: applied, error: because, warnings: [] };
    }
    case 'failed': {
      const { error, hint } = tried;
      emit({
        type: 'task-failed',
        atMs: endMs,
        task: id,
        error,
        attempts,
        ...(hint === undefined ? {} : { next: hint }),
      });
      return {
        ...record,
        result: 'failed',
        steps: applied,
        error,
        ...(hint === undefined ? {} : { hint }),
        warnings: [],
      };
    }
    case 'done': {
      const warnings = [...new Set(tried.value.warnings)];
      for (const warning of warnings) emit({ type: 'task-warned', atMs: endMs, task: id, warning });
      outputs.set(id, tried.value.outputs);
      const steps = mode === 'plan' ? tried.value.steps : applied;
      const result = steps.length === 0 ? 'unchanged' : mode === 'plan' ? 'planned' : 'changed';
      emit({ type: 'task-finished', atMs: endMs, task: id, result, attempts });
      return { ...record, result, steps, warnings };
    }
  }
}
