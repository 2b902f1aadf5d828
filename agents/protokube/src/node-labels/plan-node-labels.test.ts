import { expect, test } from 'vitest';
import type { NodeMarks } from '@kopsctl/node-plan/node-marks.ts';
import type { MarksRecord } from './marks-record.ts';
import type { MarkedNode } from './parse-marked-node.ts';
import { planNodeLabels } from './plan-node-labels.ts';

const marks: NodeMarks = {
  nodes: {
    labels: { 'kops.k8s.io/instancegroup': 'nodes', tier: 'web' },
    taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
  },
};
const record: MarksRecord = {
  nodes: { labels: ['kops.k8s.io/instancegroup', 'tier'], taints: ['dedicated:NoSchedule'] },
};
const groupOf = new Map([['n1', 'nodes']]);
const bare: MarkedNode = { name: 'n1', resourceVersion: '5', labels: {}, taints: [] };
const marked: MarkedNode = {
  ...bare,
  labels: { ...marks['nodes']?.labels, 'kubernetes.io/hostname': 'n1' },
  taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
};

const summaries = (node: MarkedNode, wanted = marks): readonly string[] =>
  planNodeLabels(wanted, record, groupOf, [node]).map(({ summary }) => summary);

test('a new node gets the labels and taints of its instance group, conditional on its version', () => {
  const [patch] = planNodeLabels(marks, record, groupOf, [bare]);
  expect(patch?.patch).toEqual({
    metadata: { resourceVersion: '5', labels: { 'kops.k8s.io/instancegroup': 'nodes', tier: 'web' } },
    spec: { taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }] },
  });
});

test('nothing is planned the second time', () => {
  expect(summaries(marked)).toEqual([]);
});

test('labels and taints of others stay', () => {
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const fips = { 'example.com.node-restriction.kubernetes.io/fips': 'true' };
  expect(summaries({ ...marked, labels: { ...marked.labels, ...fips }, taints: [cordon, ...marked.taints] })).toEqual(
    [],
  );
});

test('a label that somebody changed is corrected', () => {
  expect(summaries({ ...marked, labels: { ...marked.labels, tier: 'db' } })).toEqual(['n1: label tier=web']);
});

const less: NodeMarks = { nodes: { labels: { 'kops.k8s.io/instancegroup': 'nodes' }, taints: [] } };

test('labels and taints that left the instance group are removed', () => {
  expect(summaries(marked, less)).toEqual(['n1: label tier removed; taints none']);
});

test('a node that has moved to another group loses the marks of the one that its label names', () => {
  const moved = { other: { labels: { 'kops.k8s.io/instancegroup': 'other' }, taints: [] } };
  const patches = planNodeLabels(moved, record, new Map([['n1', 'other']]), [marked]);
  expect(patches.map(({ summary }) => summary)).toEqual([
    'n1: label kops.k8s.io/instancegroup=other; label tier removed; taints none',
  ]);
});

test('a node without a machine in the cloud is left alone', () => {
  expect(planNodeLabels(marks, record, new Map(), [bare])).toEqual([]);
});
