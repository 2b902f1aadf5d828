import type { UpdateRequest } from '@kopsctl/actions/update-cluster.ts';
import { expect, test, vi } from 'vitest';
import { runLine } from '../testing/run-line.ts';

const { asked } = vi.hoisted(() => ({ asked: [] as UpdateRequest[] }));

vi.mock(import('@kopsctl/actions/update-cluster.ts'), () => ({
  updateCluster: async (_context, request) => {
    asked.push(request);
    throw new Error('nothing is updated here');
  },
}));

test('how long a task is tried is up to its kind, unless the line says it', async () => {
  await runLine('kopsctl update cluster demo.example.com --yes', {});
  await runLine('kopsctl update cluster demo.example.com --yes --max-task-duration 60s', {});
  expect(asked.map(({ scope }) => scope)).toEqual([
    { prune: false, lifecycleOverrides: [] },
    { prune: false, lifecycleOverrides: [], maxTaskDurationMs: 60_000 },
  ]);
});
