import type { AdoptionReasons } from '@kopsctl/model/cloud.ts';
import type { RunResult, TaskResult } from '@kopsctl/tasks/run-result.ts';
import type { Task, TaskId } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { planAdoption } from './plan-adoption.ts';

const REASONS: AdoptionReasons = {
  changed: { 'toy/Template': 'new machines start nodeup of kopsctl' },
  replaced: { 'toy/Script': 'scripts are never changed' },
};

const task = (kind: string, name: string, props: Task['props'] = {}): Task => ({ kind, name, props });
const result = (id: TaskId, action: string, existed = true): TaskResult => ({
  id,
  result: 'planned',
  existed,
  steps: [{ action, summary: action }],
  attempts: 0,
  warnings: [],
});

function told(
  tasks: readonly Task[],
  results: readonly TaskResult[],
  more: Partial<RunResult> = {},
  reasons?: AdoptionReasons,
) {
  const run = {
    mode: 'plan' as const,
    tasks: results,
    deletions: [],
    changed: 0,
    failed: 0,
    cancelled: false,
    ...more,
  };
  return planAdoption(run, tasks, reasons).map(
    ({ change, object, why, isPending }) => `${change} ${object}: ${why}${isPending ? ' (pending)' : ''}`,
  );
}

test('a keyset of kops gets a public half, and a new one has both parts', () => {
  const tasks = [task('Keyset', 'kubernetes-ca'), task('Keyset', 'node-authority-ca')];
  const results = [result('Keyset/kubernetes-ca', 'publish'), result('Keyset/node-authority-ca', 'create', false)];
  expect(told(tasks, results, {}, REASONS)).toEqual([
    'create pki/issued/kubernetes-ca/keyset.yaml: the certificates of a keyset without its keys, which workers may have',
    'create pki/private/node-authority-ca/keyset.yaml: signs the certificates by which workers know an authority',
    'create pki/issued/node-authority-ca/keyset.yaml: the certificates of a keyset without its keys, which workers may have',
  ]);
});

test('an object of the store that kops has too is told as one that it reads', () => {
  const path = 'backups/etcd/main/control/etcd-cluster-spec';
  const tasks = [task('ManagedFile', 'etcd-cluster-spec-main', { path })];
  expect(told(tasks, [result('ManagedFile/etcd-cluster-spec-main', 'replace')], {}, REASONS)).toEqual([
    `change ${path}: kops has the same object: it reads this one too`,
  ]);
});

test('in the cloud, what does not differ for a known reason is pending: created, changed or deleted', () => {
  const tasks = [task('toy/Template', 'old'), task('toy/Template', 'new'), task('toy/Network', 'net')];
  const results = [
    result('toy/Template/old', 'update'),
    result('toy/Template/new', 'create', false),
    result('toy/Network/net', 'update'),
  ];
  const gone = { id: 'toy/Rule/r' as const, kind: 'toy/Rule', result: 'planned' as const };
  const deletions = [{ ...gone, owned: { name: 'r', description: 'rule r', handle: 'r' } }];
  const pending = 'kops has not applied what the spec asks for, or somebody has changed it by hand (pending)';
  expect(told(tasks, results, { deletions }, REASONS)).toEqual([
    'change toy/Template/old: new machines start nodeup of kopsctl',
    `create toy/Template/new: ${pending}`,
    `change toy/Network/net: ${pending}`,
    `delete toy/Rule/r (rule r): ${pending}`,
  ]);
});

test('what the cloud never changes is made again for the reason that is known of its kind', () => {
  expect(told([task('toy/Script', 'new')], [result('toy/Script/new', 'create', false)], {}, REASONS)).toEqual([
    'create toy/Script/new: scripts are never changed',
  ]);
});

test('in a cloud about which nothing is known, every change says so', () => {
  expect(told([task('toy/Network', 'net')], [result('toy/Network/net', 'update')])).toEqual([
    expect.stringContaining('nobody has taken over a cluster in this cloud yet (pending)'),
  ]);
});

test('what is as wanted is not told', () => {
  const wanted = { ...result('toy/Network/net', 'update'), steps: [], result: 'unchanged' as const };
  expect(told([task('toy/Network', 'net')], [wanted], {}, REASONS)).toEqual([]);
});
