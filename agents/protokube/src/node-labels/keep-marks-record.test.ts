import { expect, test } from 'vitest';
import { keepMarksRecord } from './keep-marks-record.ts';
import { MARKS_ANNOTATION, type MarksRecord } from './marks-record.ts';

const GROUP = 'kops.k8s.io/instancegroup';
const { signal } = new AbortController();
const bare = { pool: { labels: { [GROUP]: 'pool' }, taints: [] } };
const record: MarksRecord = { pool: { labels: [GROUP, 'tier'], taints: [] } };
const watched = { name: 'n', resourceVersion: '1', labels: {}, taints: [] };

/** An API server with that record, and one Node with these labels. */
function server(labels: Readonly<Record<string, string>>) {
  const written: unknown[] = [];
  const node = { metadata: { name: 'n', resourceVersion: '2', labels }, spec: {} };
  const answers: Readonly<Record<string, unknown>> = {
    '/api/v1/namespaces/kube-system': { metadata: { annotations: { [MARKS_ANNOTATION]: JSON.stringify(record) } } },
    '/api/v1/nodes?limit=100': { metadata: { resourceVersion: '2' }, items: [node] },
  };
  return {
    written,
    get: (path: string) => Promise.resolve(answers[path]),
    mergePatch: (_path: string, patch: unknown) => Promise.resolve(void written.push(patch)),
  };
}

test('a mark that was set a moment ago is not forgotten, although the watch has not brought it yet', async () => {
  const kube = server({ [GROUP]: 'pool', tier: 'web' });
  expect(await keepMarksRecord(bare, [watched], kube, signal)).toEqual(record);
  expect(kube.written).toEqual([]);
});

test('a mark that no Node has any more is forgotten', async () => {
  const kube = server({ [GROUP]: 'pool' });
  const forgotten = { pool: { labels: [GROUP], taints: [] } };
  expect(await keepMarksRecord(bare, [watched], kube, signal)).toEqual(forgotten);
  expect(kube.written).toEqual([{ metadata: { annotations: { [MARKS_ANNOTATION]: JSON.stringify(forgotten) } } }]);
});
