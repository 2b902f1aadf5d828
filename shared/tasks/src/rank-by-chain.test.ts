import { expect, test } from 'vitest';
import { buildGraph } from './graph.ts';
import { rankByChain } from './rank-by-chain.ts';
import type { Task } from './task.ts';

const task = (name: string, ...needs: readonly string[]): Task => ({
  kind: 'T',
  name,
  props: { after: needs.map((need) => ({ ref: `T/${need}` })) },
});

test('tasks with more tasks in a row behind them go first, others in the order of the graph', () => {
  const tasks = [task('alone'), task('download'), task('last', 'service'), task('other'), task('service', 'download')];
  const ranks = rankByChain(buildGraph(tasks));
  const order = [...ranks.keys()].toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  expect(order).toEqual(['T/download', 'T/service', 'T/alone', 'T/last', 'T/other']);
});
