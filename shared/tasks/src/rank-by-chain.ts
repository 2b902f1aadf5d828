import type { Graph } from './graph.ts';
import type { TaskId } from './task.ts';

/**
 * The order in which ready tasks take their turns: first those with the longest chain of tasks behind them, because the
 * whole run lasts at least as long as its longest chain. Chains of equal length keep the order of the graph.
 */
export function rankByChain(graph: Graph): ReadonlyMap<TaskId, number> {
  const lengths = new Map<TaskId, number>();
  // Backwards, so that the chains behind a task are known before its own.
  for (const { id, neededBy } of [...graph.values()].toReversed()) {
    lengths.set(id, 1 + Math.max(0, ...neededBy.map((other) => lengths.get(other) ?? 0)));
  }
  const ids = [...graph.keys()].toSorted((a, b) => (lengths.get(b) ?? 0) - (lengths.get(a) ?? 0));
  return new Map(ids.map((id, rank) => [id, rank]));
}
