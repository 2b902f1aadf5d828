import { expect, test } from 'vitest';
import { chooseReports, NEWEST, type StoredReport } from './choose-reports.ts';

const report = (node: string, modifiedMs = 0): StoredReport => ({
  node,
  entry: { path: `a/nodes/${node}/boot-report.json`, size: 1, version: 'v', modifiedMs },
});
const REPORTS = [report('gone', 3), report('nodes-1', 2), report('nodes-2', 1)];
const namesOf = (reports: readonly StoredReport[]) => reports.map(({ node }) => node);

test('machines that the cloud has are shown, and those that are gone are counted', () => {
  const { shown, left } = chooseReports(REPORTS, {
    kind: 'existing',
    machines: new Set(['nodes-1', 'nodes-2', 'new']),
  });
  expect([namesOf(shown), left]).toEqual([['nodes-1', 'nodes-2'], 1]);
});

test('a machine that is named is shown whether or not it is there, and so are all that are asked for', () => {
  expect(namesOf(chooseReports(REPORTS, { kind: 'node', node: 'gone' }).shown)).toEqual(['gone']);
  expect(chooseReports(REPORTS, { kind: 'all' })).toEqual({ shown: REPORTS, left: 0 });
});

test('where nobody knows which machines there are, the newest reports are shown', () => {
  const many = Array.from({ length: NEWEST + 2 }, (_, index) => report(`node-${index}`, index));
  const { shown, left } = chooseReports(many, { kind: 'newest' });
  expect([shown.length, left]).toEqual([NEWEST, 2]);
  expect(namesOf(shown)).not.toContain('node-1');
  expect(namesOf(shown)).toContain('node-2');
});
