import { buildGraph } from '@kopsctl/tasks/graph.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { PictureGraph } from './graph.ts';

/** Tasks, each after what it waits for. Pure. */
export function taskGraph(title: string, tasks: readonly Task[]): PictureGraph {
  const graph = [...buildGraph(tasks).values()];
  return {
    title,
    nodes: graph.map(({ id, task: { kind, name } }) => ({ id, label: `${kind}\n${name}`, kind })),
    edges: graph.flatMap(({ id, needs }) => needs.map((need) => ({ from: need, to: id }))),
  };
}
