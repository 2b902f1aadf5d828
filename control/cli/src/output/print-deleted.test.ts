import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { expect, test } from 'vitest';
import { printed } from '../testing/printed.ts';
import { printDeleted } from './print-deleted.ts';

test('where what belongs to a cluster cannot be listed, that is said, and not that something was not deleted', async () => {
  const failed: RunResult = {
    mode: 'plan',
    tasks: [
      {
        id: 'aws/Vpc/*',
        result: 'failed',
        steps: [],
        attempts: 1,
        error: 'no credentials',
        hint: 'log in',
        warnings: [],
      },
    ],
    deletions: [],
    changed: 0,
    failed: 1,
    cancelled: false,
  };
  const { code, stdout, stderr } = await printed(() =>
    printDeleted({ kind: 'unknown', cluster: 'demo.example.com', failed }),
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('no credentials');
  expect(stderr).toContain('Error: cannot find out what belongs to demo.example.com; nothing of it was deleted\n');
});
