import { expect, test } from 'vitest';
import type { NodeMarks } from '@kopsctl/node-plan/node-marks.ts';
import { parseMarksRecord, planMarksRecord, type MarksRecord } from './marks-record.ts';

const GROUP = 'kops.k8s.io/instancegroup';
const web: NodeMarks = {
  nodes: { labels: { [GROUP]: 'nodes', tier: 'web' }, taints: [{ key: 'dedicated', effect: 'NoSchedule' }] },
};
const bare: NodeMarks = { nodes: { labels: { [GROUP]: 'nodes' }, taints: [] } };
const record: MarksRecord = { nodes: { labels: [GROUP, 'tier'], taints: ['dedicated:NoSchedule'] } };
const node = (labels: Readonly<Record<string, string>>) => ({ name: 'n', resourceVersion: '1', labels, taints: [] });

test('what a group wants is recorded before any node has it', () => {
  expect(planMarksRecord(web, {}, [])).toEqual(record);
});

test('a mark that left the group is remembered until no node of the group has it', () => {
  expect(planMarksRecord(bare, record, [node({ [GROUP]: 'nodes', tier: 'web' })])).toEqual({
    nodes: { labels: [GROUP, 'tier'], taints: [] },
  });
  expect(planMarksRecord(bare, record, [node({ [GROUP]: 'nodes' }), node({ [GROUP]: 'db', tier: 'db' })])).toEqual({
    nodes: { labels: [GROUP], taints: [] },
  });
});

test('a group that is gone is remembered as long as a node is labelled as one of it', () => {
  expect(planMarksRecord({}, record, [node({ [GROUP]: 'nodes', tier: 'web' })])).toEqual({
    nodes: { labels: [GROUP, 'tier'], taints: [] },
  });
  expect(planMarksRecord({}, record, [])).toEqual({});
});

test('the record is read as it was written; damage reads as marks that nobody has set', () => {
  expect(parseMarksRecord(JSON.stringify(record))).toEqual(record);
  for (const text of [undefined, '', '[]', 'null', '{"nodes":7}', '{"nodes":{"labels":[1],"taints":{}}}']) {
    for (const { labels, taints } of Object.values(parseMarksRecord(text))) expect([labels, taints]).toEqual([[], []]);
  }
});
