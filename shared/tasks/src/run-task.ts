import { type Attempt, converge } from './converge.ts';
import type { GraphNode } from './graph.ts';
import { outputLookup, resolveRefs } from './references.ts';
import type { TaskResult } from './run-result.ts';
import type { RunScope } from './run-scope.ts';
import type { Outputs, Step, TaskId } from './task.ts';
import { type Retry, type Tried, tryUntilDeadline } from './try-until.ts';

export interface TaskTurn {
  readonly node: GraphNode;
  /** Its place in the graph: of two tasks that are ready the lower rank goes first. */
  readonly rank: number;
  /** The outputs of every finished task; those of this task are added. */
  readonly outputs: Map<TaskId, Outputs>;
}

/** What all attempts at a task have found so far. */
interface Record {
  startMs?: number;
  existed?: boolean;
  readonly applied: Step[];
}

/** Runs one task, whose needs are done, to its end. Never rejects because of its handler. */
export async function runTask<Env>({ node, rank, outputs }: TaskTurn, scope: RunScope<Env>): Promise<TaskResult> {
  const { id, task } = node;
  const { mode, env, clock, emit } = scope;
  const handler = scope.handlers.get(task.kind);
  if (handler === undefined) throw new Error(`no handler for ${id}`);
  const record: Record = { applied: [] };

  const tried = await tryUntilDeadline(
    {
      enter: async () => scope.places.enter(task.kind, rank),
      attempt: async (attempt, signal) => {
        record.startMs ??= clock.nowMs();
        emit({ type: 'task-started', atMs: clock.nowMs(), task: id, attempt });
        const props = resolveRefs(task.props, outputLookup(outputs, mode));
        scope.onResolved({ ...task, props });
        const onPlanned = (steps: readonly Step[], found: boolean) => {
          record.existed ??= found;
          emit({ type: 'task-planned', atMs: clock.nowMs(), task: id, steps });
        };
        const onApplied = (step: Step) => {
          record.applied.push(step);
          emit({ type: 'step-applied', atMs: clock.nowMs(), task: id, step });
        };
        return converge({ handler, name: task.name, props, env, mode, signal, onPlanned, onApplied });
      },
      onRetry: (retry) => emitRetry(id, retry, scope),
    },
    { ...scope, limits: scope.limitsOf(task.kind) },
  );
  if (tried.outcome === 'done') outputs.set(id, tried.value.outputs);
  return conclude(id, tried, record, scope);
}

/** Reports that a task will be tried again, and when. */
export function emitRetry<Env>(id: TaskId, retry: Retry, { clock, emit }: RunScope<Env>): void {
  const { attempt, error, inMs, notYet } = retry;
  const again = { task: id, attempt, error, inMs };
  emit({ type: 'task-retrying', atMs: clock.nowMs(), ...again, ...(notYet ? { notYet } : {}) });
}

function conclude<Env>(id: TaskId, tried: Tried<Attempt>, record: Record, scope: RunScope<Env>): TaskResult {
  const { mode, clock, emit } = scope;
  const { applied, ...known } = record;
  const { attempts } = tried;
  const atMs = clock.nowMs();
  const base = { id, attempts, endMs: atMs, ...known };

  if (tried.outcome === 'cancelled') {
    const error = 'the run was cancelled';
    emit({ type: 'task-skipped', atMs, task: id, because: error });
    return { ...base, result: 'skipped', steps: applied, error, warnings: [] };
  }
  if (tried.outcome === 'failed') {
    const { error, hint } = tried;
    emit({ type: 'task-failed', atMs, task: id, error, attempts, ...(hint === undefined ? {} : { next: hint }) });
    const failure = { error, ...(hint === undefined ? {} : { hint }) };
    return { ...base, ...failure, result: 'failed', steps: applied, warnings: [] };
  }
  const warnings = [...new Set(tried.value.warnings)];
  for (const warning of warnings) emit({ type: 'task-warned', atMs, task: id, warning });
  const steps = mode === 'plan' ? tried.value.steps : applied;
  const acted = mode === 'plan' ? 'planned' : 'changed';
  const result = steps.length === 0 ? 'unchanged' : acted;
  emit({ type: 'task-finished', atMs, task: id, result, attempts });
  return { ...base, result, steps, warnings };
}
