import { expect, test } from 'vitest';
import type { WorkloadStatus } from '../access/kubernetes-objects.ts';
import { addonsOfKops, readiness, runningAddon } from './list-addons.ts';

const workload = (kind: WorkloadStatus['kind'], name: string, more: Partial<WorkloadStatus> = {}): WorkloadStatus => ({
  kind,
  namespace: 'kube-system',
  name,
  labels: {},
  wanted: 2,
  ready: 1,
  ...more,
});
const note = (more: object = {}) =>
  JSON.stringify({
    manifestHash: 'abc',
    objects: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'kube-system', name: 'dashboard' }],
    ...more,
  });

test('the pods of what an addon has applied are counted, and no others', () => {
  const others = [
    workload('DaemonSet', 'dashboard'),
    workload('Deployment', 'dashboard', { namespace: 'default' }),
    workload('Deployment', 'other'),
  ];
  const status = runningAddon('dashboard', note(), [workload('Deployment', 'dashboard'), ...others]);
  expect(status.workloads).toEqual([
    { kind: 'Deployment', namespace: 'kube-system', name: 'dashboard', wanted: 2, ready: 1 },
  ]);
  expect(readiness(status)).toBe('1/2');
});

test('what an addon makes itself is found by its selector', () => {
  const made = workload('StatefulSet', 'made', { labels: { app: 'dashboard', tier: 'db', more: '1' }, ready: 2 });
  const half = workload('StatefulSet', 'half', { labels: { app: 'dashboard' } });
  const status = runningAddon('dashboard', note({ selector: 'app=dashboard,tier=db' }), [made, half]);
  expect(status.workloads.map(({ name }) => name)).toEqual(['made']);
  expect(readiness(status)).toBe('2/2');
});

test('an addon that runs nothing is neither ready nor unready', () => {
  expect(readiness(runningAddon('rbac', note({ objects: [] }), [workload('Deployment', 'other')]))).toBe('');
});

test('a note that cannot be read is a failure of its addon', () => {
  expect(runningAddon('odd', '{', [])).toMatchObject({ name: 'odd', status: 'failed', workloads: [] });
});

test.each(['null', '[]', '7', '{"objects":[null,1],"failure":{}}'])('the note %s breaks nothing', (text) => {
  expect(runningAddon('odd', text, [workload('Deployment', 'dashboard')])).toMatchObject({
    name: 'odd',
    workloads: [],
  });
});

test('no control character of a note gets through', () => {
  expect(runningAddon('odd', note({ failure: '\u001b[2Jgone' }), []).failure).toBe('\ufffd[2Jgone');
});

test('what kops applied is read from its annotations, and nothing else is', () => {
  const annotations = {
    'addons.k8s.io/coredns.addons.k8s.io':
      '{"channel":"s3://b/c","id":"k8s-1.12","manifestHash":"c1","systemGeneration":1}',
    'addons.k8s.io/torn': '{',
    'example.com/other': '{}',
  };
  expect(addonsOfKops(annotations)).toEqual([
    { name: 'coredns.addons.k8s.io', manifestHash: 'c1', objects: 0, status: 'applied' },
    expect.objectContaining({ name: 'torn', status: 'failed' }),
  ]);
});
