import type { PlannedCluster } from '@kopsctl/actions/plan-cluster.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { expect, test } from 'vitest';
import { printed } from '../testing/printed.ts';
import { printPlanned } from './print-planned.ts';

const GLOBAL = { verbosity: 0 };

function planned(changed: number, deletions: RunResult['deletions'] = []): PlannedCluster {
  const result = { mode: 'plan', tasks: [], deletions, changed, failed: 0, cancelled: false } as const;
  return { cluster: 'demo.example.com', specChanges: [], result };
}

const deletion = (result: 'kept' | 'planned'): RunResult['deletions'] => [
  {
    id: 'aws/Volume/old',
    kind: 'aws/Volume',
    owned: { name: 'old', description: 'vol-1', handle: null },
    result,
  },
];
const print = (plan: PlannedCluster) => printed(() => printPlanned(GLOBAL, plan, { output: 'text', exitCode: true }));

test('What is kept because pruning was not asked for is shown, and is no pending change', async () => {
  const { code, stdout, stderr } = await print(planned(0, deletion('kept')));
  expect(stdout).toContain('No longer wanted, kept unless pruning is asked for:\n  aws/Volume/old');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toContain('--yes');
});

test.each<[string, PlannedCluster]>([
  ['a deletion', planned(1, deletion('planned'))],
  ['a task that changes something', planned(1)],
  [
    'an object of the spec that is to be stored',
    { ...planned(0), specChanges: [{ path: 'demo.example.com/config', change: 'replace', text: '' }] },
  ],
])('%s is pending until --yes', async (_what, plan) => {
  expect(await print(plan)).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('Must specify --yes to apply changes.\n'),
  });
});

test('A plan that was stopped before all was looked at is none', async () => {
  const stopped = planned(0);
  expect((await print({ ...stopped, result: { ...stopped.result, cancelled: true } })).code).toBe(1);
});
