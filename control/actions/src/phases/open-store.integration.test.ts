import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStateStore } from './open-store.ts';

test('keys that the spec puts into another folder are readable by their owner alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-places-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = await openStateStore({ state: `file://${folder}/state`, env: {}, author: undefined });
  const spec = `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata:
  name: demo.example.com
spec:
  keyStore: file://${folder}/keys
`;
  await store.write('demo.example.com/config', Buffer.from(spec), { ifAbsent: true });
  await store.write('demo.example.com/pki/private/kubernetes-ca/keyset.yaml', Buffer.from('x'), { ifAbsent: true });

  const modeOf = async (path: string) => ((await stat(join(folder, path))).mode & 0o777).toString(8);
  expect(await modeOf('keys/private/kubernetes-ca/keyset.yaml')).toBe('600');
  expect(await modeOf('keys/private')).toBe('700');
});
