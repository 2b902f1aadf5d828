import { expect, test } from 'vitest';
import type { ClusterSpec, KubeletConfig } from './cluster.ts';
import { openedPorts } from './opened-ports.ts';

const opened = (spec: ClusterSpec, kubelet: KubeletConfig = {}): readonly string[] =>
  openedPorts({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec }, [
    { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' }, spec: { kubelet } },
  ]).map(
    ({ instanceGroup = 'cluster', path, message }) => `${instanceGroup} ${path} ${/port (\d+)/.exec(message)?.[1]}`,
  );

test("names each place where a person opens kubelet's port without credentials", () => {
  const spec = { kubelet: { readOnlyPort: 10255 }, masterKubelet: { readOnlyPort: 1 } };
  expect(opened(spec, { readOnlyPort: 2 })).toEqual([
    'cluster spec.kubelet.readOnlyPort 10255',
    'cluster spec.masterKubelet.readOnlyPort 1',
    'nodes spec.kubelet.readOnlyPort 2',
  ]);
});

test('says nothing where it is closed', () => {
  expect(opened({ kubelet: { readOnlyPort: 0 } }, { readOnlyPort: 0 })).toEqual([]);
  expect(opened({})).toEqual([]);
});
