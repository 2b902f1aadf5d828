import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { appliedKubernetes } from './applied-kubernetes.ts';

const SIGNAL = new AbortController().signal;
const completed = (version: string) => Buffer.from(`kind: Cluster\nspec:\n  kubernetesVersion: ${version}\n`);

test('of a cluster that was taken over, what kopsctl applied last counts, and before that what kops did', async () => {
  const store = createMemoryStore();
  expect(await appliedKubernetes(store, 'demo', SIGNAL)).toBeUndefined();
  await store.write('demo/cluster-completed.spec', completed('1.34.4'), { ifAbsent: true });
  expect(await appliedKubernetes(store, 'demo', SIGNAL)).toBe('1.34.4');
  await store.write('demo/manifests/kopsctl/cluster.spec', completed('v1.35.1'), { ifAbsent: true });
  expect(await appliedKubernetes(store, 'demo', SIGNAL)).toBe('1.35.1');
});
