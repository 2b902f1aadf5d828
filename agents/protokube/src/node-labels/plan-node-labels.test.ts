import { expect, test } from 'vitest';
import type { NodeMarks } from '@kopsctl/node-plan/node-marks.ts';
import { OURS_ANNOTATION, planNodeLabels, type MarkedNode } from './plan-node-labels.ts';

const marks: NodeMarks = {
  nodes: {
    labels: { 'kops.k8s.io/instancegroup': 'nodes', tier: 'web' },
    taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
  },
};
const groupOf = new Map([['n1', 'nodes']]);
const bare: MarkedNode = { name: 'n1', resourceVersion: '5', labels: {}, taints: [], ours: { labels: [], taints: [] } };
const ours = { labels: ['kops.k8s.io/instancegroup', 'tier'], taints: ['dedicated:NoSchedule'] };
const marked: MarkedNode = {
  ...bare,
  labels: { ...marks['nodes']?.labels, 'kubernetes.io/hostname': 'n1' },
  taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
  ours,
};

const summaries = (node: MarkedNode, wanted = marks): readonly string[] =>
  planNodeLabels(wanted, groupOf, [node]).map(({ summary }) => summary);

test('a new node gets the labels and taints of its instance group, conditional on its version', () => {
  const [patch] = planNodeLabels(marks, groupOf, [bare]);
  expect(patch?.patch).toEqual({
    metadata: {
      resourceVersion: '5',
      annotations: { [OURS_ANNOTATION]: JSON.stringify(ours) },
      labels: { 'kops.k8s.io/instancegroup': 'nodes', tier: 'web' },
    },
    spec: { taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }] },
  });
});

test('nothing is planned the second time', () => {
  expect(planNodeLabels(marks, groupOf, [marked])).toEqual([]);
});

test('labels and taints of others stay', () => {
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  expect(summaries({ ...marked, taints: [cordon, ...marked.taints] })).toEqual([]);
});

test('a label that somebody changed is corrected', () => {
  expect(summaries({ ...marked, labels: { ...marked.labels, tier: 'db' } })).toEqual(['n1: label tier=web']);
});

test('labels and taints that left the instance group are removed', () => {
  const less: NodeMarks = { nodes: { labels: { 'kops.k8s.io/instancegroup': 'nodes' }, taints: [] } };
  expect(summaries(marked, less)).toEqual(['n1: label tier removed; taints none']);
});

test('a node without a machine in the cloud is left alone', () => {
  expect(planNodeLabels(marks, new Map(), [bare])).toEqual([]);
});
