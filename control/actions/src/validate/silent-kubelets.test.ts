import { expect, test } from 'vitest';
import { askForSilence, silentKubelets } from './silent-kubelets.ts';

const NOW_MS = Date.UTC(2030, 0, 1, 12);
const lease = (node: string, agoSeconds: number) => ({
  node,
  renewedMs: 0,
  writtenMs: NOW_MS - agoSeconds * 1000,
  durationMs: 40_000,
});

test('A kubelet is silent once its lease has run out, whatever the clock of its machine says', () => {
  const untimed = { node: 'before 1.25', renewedMs: 0, durationMs: 40_000 };
  const leases = [lease('renewed', 9), lease('late', 40), lease('silent', 41), lease('gone', 3600), untimed];
  expect([...silentKubelets(leases, NOW_MS)]).toEqual([
    ['silent', 41_000],
    ['gone', 3_600_000],
  ]);
});

test('The leases of all Nodes are read page by page, and compared with the time of the API server', async () => {
  const paths: string[] = [];
  const item = (name: string, time: string) => ({
    metadata: { name, creationTimestamp: '2030-01-01T09:00:00Z', managedFields: [{ manager: 'kubelet', time }] },
    spec: { renewTime: time, leaseDurationSeconds: 40 },
  });
  const kube = {
    timeMs: async () => NOW_MS,
    get: async (path: string) => {
      paths.push(path);
      return path.includes('continue=')
        ? { items: [item('nodes-2', '2030-01-01T11:58:00Z')] }
        : { metadata: { continue: 'more' }, items: [item('nodes-1', '2030-01-01T11:59:55Z')] };
    },
  };
  const silence = await askForSilence(kube, 'test.example.com', new AbortController().signal);
  expect(silence).toEqual({ silentMs: new Map([['nodes-2', 120_000]]) });
  expect(paths).toHaveLength(2);
});
