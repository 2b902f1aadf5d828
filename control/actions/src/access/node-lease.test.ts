import { expect, test } from 'vitest';
import { readNodeLease } from './node-lease.ts';

/** As an API server of Kubernetes 1.36 sends it, for a machine whose clock is two hours behind. */
const LEASE = {
  metadata: {
    name: 'nodes-1',
    creationTimestamp: '2030-01-01T11:00:00Z',
    managedFields: [
      { manager: 'kubectl-edit', operation: 'Update', time: '2030-01-01T12:00:50Z' },
      { manager: 'kubelet', operation: 'Update', time: '2030-01-01T12:00:10Z' },
    ],
  },
  spec: { holderIdentity: 'nodes-1', leaseDurationSeconds: 40, renewTime: '2030-01-01T10:00:10.123456Z' },
};

test('A lease tells when it was renewed, by the clock of the API server too', () => {
  expect(readNodeLease(LEASE)).toEqual({
    node: 'nodes-1',
    renewedMs: Date.UTC(2030, 0, 1, 10, 0, 10, 123),
    writtenMs: Date.UTC(2030, 0, 1, 12, 0, 10),
    durationMs: 40_000,
  });
});

test('An API server before 1.25 notes only when the lease was made', () => {
  const metadata = { ...LEASE.metadata, creationTimestamp: '2030-01-01T12:00:09Z' };
  expect(readNodeLease({ ...LEASE, metadata })).not.toHaveProperty('writtenMs');
});

test('A lease that kubelet has not written tells its own time alone', () => {
  expect(readNodeLease({ ...LEASE, metadata: { name: 'nodes-1' } })).not.toHaveProperty('writtenMs');
});

test.each([
  ['that was never renewed', { ...LEASE, spec: { leaseDurationSeconds: 40 } }],
  ['without a duration', { ...LEASE, spec: { renewTime: LEASE.spec.renewTime } }],
])('A lease %s tells nothing', (_what, lease) => {
  expect(readNodeLease(lease)).toBeUndefined();
});
