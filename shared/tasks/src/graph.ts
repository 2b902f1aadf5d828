import { PermanentError } from './failure.ts';
import { refsIn } from './references.ts';
import { type Task, type TaskId, taskId } from './task.ts';

export interface GraphNode {
  readonly id: TaskId;
  readonly task: Task;
  /** Each once, in the order of the graph. */
  readonly needs: readonly TaskId[];
  /** The needs of which it uses an output. */
  readonly reads: readonly TaskId[];
  readonly neededBy: readonly TaskId[];
}

/** Tasks in an order in which each comes after its needs. Equal input gives equal order. */
export type Graph = ReadonlyMap<TaskId, GraphNode>;

/**
 * Derives the needs of each task from the references in its props. Each task keeps its place in the list, preceded by
 * those of its needs that were not placed yet.
 *
 * @throws one error that names every duplicate, every reference to nothing, and every cycle as a whole
 */
export function buildGraph(tasks: readonly Task[]): Graph {
  const faults: string[] = [];
  const byId = new Map<TaskId, Task>();
  for (const task of tasks) {
    const id = taskId(task);
    if (byId.has(id)) faults.push(`${id} is there twice`);
    byId.set(id, task);
  }

  const needs = new Map<TaskId, TaskId[]>();
  for (const [id, task] of byId) {
    const wanted = [...new Set(refsIn(task.props).map(({ ref }) => ref))];
    for (const ref of wanted) if (!byId.has(ref)) faults.push(`${id} refers to ${ref}, which is not among the tasks`);
    needs.set(
      id,
      wanted.filter((ref) => byId.has(ref)),
    );
  }

  const { order, cycles } = sortByNeed(needs);
  for (const cycle of cycles) faults.push(`these need each other in a cycle: ${cycle.join(' → ')}`);
  if (faults.length > 0) {
    throw new PermanentError({
      what: 'put the tasks in order',
      why: faults.join('; '),
      next: 'this is a bug in what made the plan: fix the references named above',
    });
  }
  return link(order, byId, needs);
}

function sortByNeed(needs: ReadonlyMap<TaskId, readonly TaskId[]>) {
  const order: TaskId[] = [];
  const cycles: (readonly TaskId[])[] = [];
  const placed = new Set<TaskId>();
  const path = new Set<TaskId>();

  const place = (id: TaskId): void => {
    if (placed.has(id)) return;
    if (path.has(id)) {
      const names = [...path];
      cycles.push([...names.slice(names.indexOf(id)), id]);
      return;
    }
    path.add(id);
    for (const need of needs.get(id) ?? []) place(need);
    path.delete(id);
    placed.add(id);
    order.push(id);
  };
  for (const id of needs.keys()) place(id);
  return { order, cycles };
}

function link(order: readonly TaskId[], byId: ReadonlyMap<TaskId, Task>, needs: ReadonlyMap<TaskId, TaskId[]>): Graph {
  const place = new Map(order.map((id, index) => [id, index]));
  const byPlace = (a: TaskId, b: TaskId) => (place.get(a) ?? 0) - (place.get(b) ?? 0);
  const neededBy = new Map<TaskId, TaskId[]>(order.map((id) => [id, []]));
  for (const id of order) for (const need of needs.get(id) ?? []) neededBy.get(need)?.push(id);

  const graph = new Map<TaskId, GraphNode>();
  for (const id of order) {
    const task = byId.get(id);
    if (task === undefined) throw new Error(`${id} was placed but is not a task`);
    const sortedNeeds = (needs.get(id) ?? []).sort(byPlace);
    const readRefs = new Set(refsIn(task.props).flatMap(({ ref, output }) => (output === undefined ? [] : [ref])));
    const reads = sortedNeeds.filter((need) => readRefs.has(need));
    graph.set(id, { id, task, needs: sortedNeeds, reads, neededBy: neededBy.get(id) ?? [] });
  }
  return graph;
}
