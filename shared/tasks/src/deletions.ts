import type { Graph } from './graph.ts';
import type { Deletion } from './run-result.ts';
import type { RunScope } from './run-scope.ts';
import { emitRetry } from './run-task.ts';
import type { Handler, Owned, TaskId } from './task.ts';
import { tryUntilDeadline } from './try-until.ts';

/** Everything of ours that no task wants, in the order of its removal. A kind that cannot be listed is a failure. */
export async function findDeletions<Env>(
  graph: Graph,
  prune: boolean,
  scope: RunScope<Env>,
): Promise<readonly Deletion[]> {
  if (scope.signal.aborted) return [];
  // Later kinds depend on earlier ones, so removal goes in reverse.
  const kinds = [...scope.handlers.values()].toReversed();
  return (await Promise.all(kinds.map(async (handler) => unwantedOf(handler, graph, prune, scope)))).flat();
}

async function unwantedOf<Env>(
  handler: Handler<Env>,
  graph: Graph,
  prune: boolean,
  scope: RunScope<Env>,
): Promise<readonly Deletion[]> {
  const { kind } = handler;
  if (handler.listOwned === undefined) return [];
  const listed = await tryUntilDeadline(
    {
      enter: async () => scope.places.enter(kind, 0),
      attempt: async (_, signal) => handler.listOwned?.(scope.env, signal) ?? [],
      onRetry: () => {},
    },
    scope,
  );
  if (listed.outcome === 'cancelled') return [];
  if (listed.outcome === 'failed') {
    const { error, hint } = listed;
    const owned = { name: '*', description: `every ${kind} of this cluster`, handle: null };
    return [{ id: `${kind}/*`, kind, owned, result: 'failed', error, ...(hint === undefined ? {} : { hint }) }];
  }
  return listed.value
    .filter(({ name }) => !graph.has(`${kind}/${name}`))
    .sort((a, b) => compare(b.name, a.name) || compare(b.description, a.description))
    .map((owned) => ({ id: `${kind}/${owned.name}`, kind, owned, result: prune ? 'planned' : 'kept' }));
}

/**
 * Removes what was found, kind by kind. Does nothing unless everything wanted exists, and stops after a kind of which
 * something could not be removed, since things of earlier kinds may still be in use.
 */
export async function removeAll<Env>(
  found: readonly Deletion[],
  allDone: boolean,
  scope: RunScope<Env>,
): Promise<readonly Deletion[]> {
  const results: Deletion[] = [];
  let because = allDone ? undefined : 'not everything that is wanted is there yet';
  for (const kind of new Set(found.map((deletion) => deletion.kind))) {
    const ofKind = found.filter((deletion) => deletion.kind === kind);
    const reason = because;
    const removed = await Promise.all(
      ofKind.map(async (deletion, rank) => {
        if (deletion.result !== 'planned') return deletion;
        return reason === undefined ? removeOne(deletion, rank, scope) : skip(deletion, reason, scope);
      }),
    );
    results.push(...removed);
    const failed = removed.find(({ result }) => result === 'failed');
    if (failed !== undefined) because ??= `${failed.id} could not be removed`;
  }
  return results;
}

async function removeOne<Env>(deletion: Deletion, rank: number, scope: RunScope<Env>): Promise<Deletion> {
  const { id, kind, owned } = deletion;
  const { clock, emit } = scope;
  const handler = scope.handlers.get(kind);
  const tried = await tryUntilDeadline(
    {
      enter: async () => scope.places.enter(kind, rank),
      attempt: async (attempt, signal) => {
        emit({ type: 'task-started', atMs: clock.nowMs(), task: id, attempt });
        await remove(handler, owned, scope, signal);
      },
      onRetry: (retry) => emitRetry(id, retry, scope),
    },
    { ...scope, limits: scope.limitsOf(kind) },
  );
  const { attempts } = tried;
  const atMs = clock.nowMs();
  if (tried.outcome === 'cancelled') return skip(deletion, 'the run was cancelled', scope);
  if (tried.outcome === 'failed') {
    const { error, hint } = tried;
    emit({ type: 'task-failed', atMs, task: id, error, attempts, ...(hint === undefined ? {} : { next: hint }) });
    return { ...deletion, result: 'failed', error, ...(hint === undefined ? {} : { hint }) };
  }
  emit({ type: 'step-applied', atMs, task: id, step: { action: 'remove', summary: `remove ${owned.description}` } });
  emit({ type: 'task-finished', atMs, task: id, result: 'changed', attempts });
  return { ...deletion, result: 'removed' };
}

async function remove<Env>(
  handler: Handler<Env> | undefined,
  owned: Owned,
  scope: RunScope<Env>,
  signal: AbortSignal,
): Promise<void> {
  if (handler?.remove === undefined) throw new Error(`the kind ${handler?.kind ?? '?'} has no remove`);
  await handler.remove(owned, scope.env, signal);
}

function skip<Env>(deletion: Deletion, because: string, { emit, clock }: RunScope<Env>): Deletion {
  emit({ type: 'task-skipped', atMs: clock.nowMs(), task: deletion.id satisfies TaskId, because });
  return { ...deletion, result: 'skipped', error: because };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
