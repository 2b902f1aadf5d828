import type { TaskResult } from '@kopsctl/tasks/run-result.ts';
import { type Json, type Task, type TaskId, taskId } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { planRepair, repairedTasks } from './plan-repair.ts';

const task = (kind: string, name: string, props: { readonly [key: string]: Json } = {}): Task => ({
  kind,
  name,
  props,
});
const differs = (of: Task, summary = `mend ${of.name}`): TaskResult => ({
  id: taskId(of),
  result: 'planned',
  steps: [{ action: 'mend', summary }],
  attempts: 1,
  warnings: [],
});
const fails = (of: Task, error: string): TaskResult => ({
  id: taskId(of),
  result: 'failed',
  steps: [],
  attempts: 1,
  error,
  warnings: [],
});

const FILE = task('File', 'etc/a', { content: { text: 'a' } });
const SYSCTLS = task('Sysctls', 'network');

test('without a repair, everything that differs is reported', () => {
  expect(planRepair([FILE, SYSCTLS], [differs(FILE), differs(SYSCTLS)], { repairs: false })).toEqual({
    mends: [],
    differences: [
      { task: 'File/etc/a', what: 'mend etc/a', outcome: 'reported' },
      { task: 'Sysctls/network', what: 'mend network', outcome: 'reported' },
    ],
  });
});

test('with a repair, files, kernel settings and units are mended', () => {
  const unit = task('Service', 'kubelet.service');
  const found = planRepair(
    [FILE, SYSCTLS, unit],
    [FILE, SYSCTLS, unit].map((one) => differs(one)),
    { repairs: true },
  );
  expect(found).toEqual({ mends: ['File/etc/a', 'Sysctls/network', 'Service/kubelet.service'], differences: [] });
});

test.each([
  ['a certificate', task('Certificate', 'server')],
  ['a file of a keyset', task('File', 'ca.crt', { content: { keyset: 'kubernetes-ca', part: 'certificates' } })],
  ['a file of a secret', task('File', 'keys', { content: { secret: 'gossip-key' } })],
])('%s is never mended unasked: the next keys may be in the store already', (_what, of) => {
  const { mends, differences } = planRepair([of], [differs(of)], { repairs: true });
  expect(mends).toEqual([]);
  expect(differences).toMatchObject([{ task: taskId(of), outcome: 'held' }]);
});

test('a download that is gone is not drift, and what could not be looked at is said to be unknown', () => {
  const asset = task('Asset', 'kubelet');
  const of = task('File', 'ca.crt', { content: { keyset: 'kubernetes-ca', part: 'certificates' } });
  const checked = [differs(asset), fails(of, 'the store does not answer')];
  expect(planRepair([asset, of], checked, { repairs: true })).toEqual({
    mends: [],
    differences: [{ task: 'File/ca.crt', what: 'look at it', outcome: 'unknown', why: 'the store does not answer' }],
  });
});

test('a repair may also download what it writes, and restart units, but nothing else', () => {
  const asset = task('Asset', 'kubelet');
  const other = task('Asset', 'containerd');
  const program = task('File', 'bin/kubelet', {
    content: { assetPath: { ref: 'Asset/kubelet', output: 'path' }, sha256: 'a' },
  });
  const unit = task('Service', 'kubelet.service', { restartOn: [{ ref: 'File/bin/kubelet' }] });
  const allowed = repairedTasks([asset, other, program, FILE, unit], [taskId(program)]);
  expect([...allowed].toSorted()).toEqual<TaskId[]>(['Asset/kubelet', 'File/bin/kubelet', 'Service/kubelet.service']);
});
