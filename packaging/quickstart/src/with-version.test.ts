import { expect, test } from 'vitest';
import { withVersion } from './with-version.ts';

test('a cluster without a version gets one, and nothing else changes', () => {
  const text = `# A cluster.
kind: Cluster
spec:
  cloudProvider: local
---
kind: Cluster
spec:
  kubernetesVersion: 1.20.2
---
kind: InstanceGroup
spec:
  role: Node # One.
`;
  const line = '  cloudProvider: local\n';
  expect(withVersion(text, '1.35.7')).toBe(text.replace(line, `${line}  kubernetesVersion: 1.35.7\n`));
});

test('a text without a cluster stays as it is', () => {
  expect(withVersion('kind: Cluster\n', '1.35.7')).toBe('kind: Cluster\n');
});
