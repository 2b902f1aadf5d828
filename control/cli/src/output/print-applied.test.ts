import type { AppliedCluster } from '@kopsctl/actions/apply-cluster.ts';
import { expect, test } from 'vitest';
import { printed } from '../testing/printed.ts';
import { printApplied } from './print-applied.ts';

const UNCHANGED: AppliedCluster = {
  cluster: 'demo.example.com',
  specChanges: [],
  result: { mode: 'apply', tasks: [], deletions: [], changed: 0, failed: 0, cancelled: false },
};
const CHANGES: AppliedCluster['specChanges'] = [
  { path: 'demo.example.com/config', change: 'replace', text: '' },
  { path: 'demo.example.com/instancegroup/nodes', change: 'create', text: '' },
];
const print = (applied: AppliedCluster) => printed(() => printApplied({ verbosity: 0 }, applied, { startedMs: 0 }));

test('An apply that finds everything as it is to be says so', async () => {
  expect(await print(UNCHANGED)).toEqual({ code: 0, stdout: '', stderr: 'no changes\n' });
});

test('What an apply stored of the spec is told, whether more changed or failed', async () => {
  const stored =
    'Replaced demo.example.com/config (your spec)\nCreated demo.example.com/instancegroup/nodes (your spec)\n';
  const { code, stderr } = await print({ ...UNCHANGED, specChanges: CHANGES });
  expect({ code, stderr }).toEqual({ code: 0, stderr: `${stored}no other changes\n` });
  const failed = await print({ ...UNCHANGED, specChanges: CHANGES, result: { ...UNCHANGED.result, failed: 1 } });
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(stored) });
});
