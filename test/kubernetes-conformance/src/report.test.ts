import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { conformancePage, lastResults, testResults } from './report.ts';
import { WORKERS } from './settings.ts';
import { SETS } from './test-sets.ts';

const spec = (State: string, more: object = {}) => ({
  ContainerHierarchyTexts: ['[sig-node] Pods'],
  LeafNodeType: 'It',
  LeafNodeText: 'run',
  State,
  RunTime: 2e9,
  ...more,
});

const report = JSON.stringify([
  {
    SpecReports: [
      spec('passed'),
      spec('skipped'),
      spec('failed', { LeafNodeText: 'stop', Failure: { Message: 'timed out\nat pods.go' } }),
      spec('passed', { LeafNodeType: 'SynchronizedBeforeSuite', LeafNodeText: '' }),
    ],
  },
]);

test('a report counts the tests that ran', () => {
  expect(testResults(report)).toEqual([
    { name: '[sig-node] Pods run', seconds: 2 },
    { name: '[sig-node] Pods stop', seconds: 2, failure: 'timed out\nat pods.go' },
  ]);
});

test('a failure of the set-up counts as a failure', () => {
  const failed = { LeafNodeType: 'SynchronizedBeforeSuite', LeafNodeText: '', ContainerHierarchyTexts: null };
  const json = JSON.stringify([{ SpecReports: [spec('failed', { ...failed, Failure: { Message: 'no nodes' } })] }]);
  expect(testResults(json)).toEqual([{ name: 'SynchronizedBeforeSuite', seconds: 2, failure: 'no nodes' }]);
});

test('the page names what failed, and the stand-ins', () => {
  const versions = { kubernetes: '1.36.3', containerd: '2.4.2', commit: 'abc', date: new Date(0) };
  const facts = { ...versions, sets: SETS, images: ['agnhost:1'], clusterImages: ['coredns:1'] };
  const page = conformancePage([{ name: 'side by side', seconds: 90, results: testResults(report) }], facts);
  expect(page).toContain('| side by side | 2 | 1 | 1 | 1.5 min |');
  expect(page).toContain('- [sig-node] Pods stop: timed out\n');
  expect(page).toContain('- `agnhost:1`');
  expect(page).toContain('- `coredns:1`');
  expect(page).not.toContain('those of their publishers');
  expect(conformancePage([], { ...facts, clusterImages: [] })).toContain('those of their publishers');
});

test('the page keeps the rows of the last whole runs, the newest first, and tells how the suite is run', () => {
  const facts = { kubernetes: '1.36.3', containerd: '2.4.2', sets: SETS, images: [], clusterImages: [] };
  const sets = [{ name: 'side by side', seconds: 90, results: testResults(report) }];
  const pageOf = (day: number, former?: string) =>
    conformancePage(sets, { ...facts, commit: `c${String(day)}`, date: new Date(day * 86_400_000) }, former);
  const rows = (page: string) => page.split('\n').filter((line) => line.startsWith('| 19'));
  const second = pageOf(1, pageOf(0));
  expect(rows(second)).toEqual(['| 1970-01-02 | c1 | 1 of 2 | 1.5 |', '| 1970-01-01 | c0 | 1 of 2 | 1.5 |']);
  let page = second;
  for (let day = 2; day < 20; day++) page = pageOf(day, page);
  expect(rows(page)).toHaveLength(10);
  expect(rows(page)[0]).toContain('1970-01-20');
  expect(page).toContain('- `ginkgo --procs`: 12 (side by side), 1 (one after the other).');
});

test('the workers of the settings are those of the cluster', async () => {
  const spec = await readFile(path.join(import.meta.dirname, '../cluster.yaml'), 'utf8');
  expect(spec).toContain(`minSize: ${String(WORKERS)}\n  maxSize: ${String(WORKERS)}\n`);
});

test('a test that ran again counts by its last run', () => {
  const first = { name: 'side by side', seconds: 90, results: testResults(report) };
  const again = { name: 'again', seconds: 5, results: [{ name: '[sig-node] Pods stop', seconds: 1 }] };
  expect(lastResults([first, again]).filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(lastResults([first])).toHaveLength(2);
});
