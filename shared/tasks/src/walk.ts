import type { Graph, GraphNode } from './graph.ts';
import { rankByChain } from './rank-by-chain.ts';
import type { TaskResult } from './run-result.ts';
import type { RunScope } from './run-scope.ts';
import { runTask } from './run-task.ts';
import type { Outputs, TaskId } from './task.ts';

/**
 * Runs every task as soon as its needs are done. A task is skipped when one of its needs failed or was skipped.
 * A plan changes nothing, so in a plan only those needs count whose outputs the task uses: a file that cannot be read
 * then hides as little of the plan as possible.
 */
export async function walk<Env>(graph: Graph, scope: RunScope<Env>): Promise<readonly TaskResult[]> {
  const outputs = new Map<TaskId, Outputs>();
  const results = new Map<TaskId, Promise<TaskResult>>();
  // In graph order, so that the promise of each need exists before it is used.
  const ranks = rankByChain(graph);
  for (const node of graph.values()) {
    const rank = ranks.get(node.id) ?? 0;
    const counting = scope.mode === 'plan' ? node.reads : node.needs;
    const needs = counting.flatMap((id) => results.get(id) ?? []);
    results.set(node.id, afterNeeds({ node, rank, needs, outputs }, scope));
  }
  return Promise.all(results.values());
}

interface Turn {
  readonly node: GraphNode;
  readonly rank: number;
  readonly needs: readonly Promise<TaskResult>[];
  readonly outputs: Map<TaskId, Outputs>;
}

async function afterNeeds<Env>({ node, rank, needs, outputs }: Turn, scope: RunScope<Env>): Promise<TaskResult> {
  const lacking = (await Promise.all(needs)).find(({ result }) => result === 'failed' || result === 'skipped');
  if (scope.signal.aborted) return skip(node, 'the run was cancelled', scope);
  if (lacking === undefined) return runTask({ node, rank, outputs }, scope);
  return skip(node, `${lacking.id} ${lacking.result === 'failed' ? 'failed' : 'was skipped'}`, scope);
}

function skip<Env>({ id }: GraphNode, because: string, { emit, clock }: RunScope<Env>): TaskResult {
  emit({ type: 'task-skipped', atMs: clock.nowMs(), task: id, because });
  return { id, result: 'skipped', steps: [], attempts: 0, error: because, warnings: [] };
}
