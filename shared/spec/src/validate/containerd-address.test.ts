import { expect, test } from 'vitest';
import { validateContainerdAddress } from './containerd-address.ts';

const faults = (address: string) => {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'c.test' } } as const;
  const group = { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' } } as const;
  const containerd = { address };
  return [...validateContainerdAddress({ ...cluster, spec: { containerd } }, [{ ...group, spec: { containerd } }])].map(
    ({ instanceGroup = 'cluster', message }) => `${instanceGroup}: ${message}`,
  );
};

test('containerd listens at a path, in a cluster and in a group', () => {
  expect(faults('/run/cluster/containerd.sock')).toEqual([]);
  expect(faults('unix:///run/c.sock')).toEqual(
    ['cluster', 'nodes'].map((of) => `${of}: 'unix:///run/c.sock' is not the path of a socket`),
  );
});
