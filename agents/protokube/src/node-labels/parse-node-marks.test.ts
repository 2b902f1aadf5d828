import { expect, test } from 'vitest';
import type { NodeMarks } from '@kopsctl/node-plan/node-marks.ts';
import { parseNodeMarks } from './parse-node-marks.ts';

test('marks are read as they were written', () => {
  const marks: NodeMarks = {
    nodes: { labels: { a: 'b' }, taints: [{ key: 'k', effect: 'NoSchedule' }] },
    gpu: { labels: {}, taints: [{ key: 'k', value: 'v', effect: 'NoExecute' }] },
  };
  expect(parseNodeMarks(JSON.stringify(marks))).toEqual(marks);
});

test.each(['', 'null', '[]', '{"nodes":{}}', '{"nodes":{"labels":{"a":1},"taints":[]}}', '{"n":{"taints":[{}]}}'])(
  'damaged marks are an error, not empty marks: %s',
  (text) => {
    expect(() => parseNodeMarks(text)).toThrow(/\S/);
  },
);
