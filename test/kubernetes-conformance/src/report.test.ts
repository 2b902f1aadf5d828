import { expect, test } from 'vitest';
import { conformancePage, lastResults, testResults } from './report.ts';

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
  const facts = { ...versions, images: ['agnhost:1'], clusterImages: ['coredns:1'] };
  const page = conformancePage([{ name: 'side by side', seconds: 90, results: testResults(report) }], facts);
  expect(page).toContain('| side by side | 2 | 1 | 1 | 1.5 min |');
  expect(page).toContain('- [sig-node] Pods stop: timed out\n');
  expect(page).toContain('- `agnhost:1`');
  expect(page).toContain('- `coredns:1`');
  expect(page).not.toContain('those of their publishers');
  expect(conformancePage([], { ...facts, clusterImages: [] })).toContain('those of their publishers');
});

test('a test that ran again counts by its last run', () => {
  const first = { name: 'side by side', seconds: 90, results: testResults(report) };
  const again = { name: 'again', seconds: 5, results: [{ name: '[sig-node] Pods stop', seconds: 1 }] };
  expect(lastResults([first, again]).filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(lastResults([first])).toHaveLength(2);
});
