import { KubeError } from '@kopsctl/kube/client.ts';
import { expect, test } from 'vitest';
import { compareCluster } from './compare-cluster.ts';

const NOW_MS = Date.UTC(2030, 0, 1, 12);
const SIGNAL = new AbortController().signal;
const worker = { nodeName: 'w', instanceGroup: 'nodes', role: 'Node', running: true } as const;
const lease = (name: string, time: string) => ({
  metadata: { name, creationTimestamp: '2030-01-01T09:00:00Z', managedFields: [{ manager: 'kubelet', time }] },
  spec: { renewTime: time, leaseDurationSeconds: 40 },
});

/** A cluster of one worker that says Ready. */
const clusterWith = (leases: () => unknown) => ({
  // Only the name and the groups are read.
  completed: { cluster: { metadata: { name: 'demo' } }, instanceGroups: [] } as never,
  // Only machines are listed.
  running: { runningMachines: async () => ({ machines: [worker] }) } as never,
  api: {
    nodes: async () => [{ name: 'w', machineId: undefined, conditions: [{ type: 'Ready', status: 'True' }] }],
    systemPods: async () => [],
  } as never,
  kube: { get: async () => leases(), timeMs: async () => NOW_MS } as never,
  server: 'https://127.0.0.1',
});

test('a kubelet that is silent is a failure although kube-controller-manager has not noticed it', async () => {
  const silent = clusterWith(() => ({ items: [lease('w', '2030-01-01T11:59:00Z')] }));
  expect(await compareCluster(silent, 0, SIGNAL)).toMatchObject({
    failures: [{ kind: 'Node', name: 'w', message: expect.stringContaining('for 60 s') }],
    warnings: [],
  });
  const renewed = clusterWith(() => ({ items: [lease('w', '2030-01-01T11:59:50Z')] }));
  expect(await compareCluster(renewed, 0, SIGNAL)).toMatchObject({ failures: [], warnings: [] });
});

test('whoever may not list leases is told that, and everything else', async () => {
  const forbidden = clusterWith(() => {
    throw new KubeError('GET leases', 403, 'leases is forbidden');
  });
  expect(await compareCluster(forbidden, 0, SIGNAL)).toMatchObject({
    failures: [],
    warnings: [{ kind: 'API', name: 'demo', message: expect.stringContaining('leases is forbidden') }],
  });
});
