import { expect, test } from 'vitest';
import type { ContainerdConfig } from '../cluster.ts';
import { validateContainerdVersion } from './containerd-version.ts';

const registryMirrors = { 'docker.io': ['https://mirror.example.com'] };

const faults = (ofCluster: ContainerdConfig, ofGroup?: ContainerdConfig): readonly string[] => {
  const spec = { kubernetesVersion: '1.24.17', containerd: ofCluster };
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'c.test' }, spec } as const;
  const group = { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' } } as const;
  const containerd = ofGroup === undefined ? {} : { containerd: ofGroup };
  return [...validateContainerdVersion(cluster, [{ ...group, spec: containerd }])].map(
    ({ instanceGroup = 'cluster', path, message }) => `${instanceGroup} ${path}: ${message}`,
  );
};
const UNREAD = 'containerd 1.4.13 would not read the mirrors; 1.5.0 is the first that does';

test('mirrors of registries need a containerd that reads them', () => {
  expect(faults({ version: '1.4.13', registryMirrors })).toEqual([
    `cluster spec.containerd.registryMirrors: ${UNREAD}`,
  ]);
  expect(faults({ version: '1.5.0', registryMirrors })).toEqual([]);
  expect(faults({ version: '1.4.13' })).toEqual([]);
  expect(faults({ version: '1.4.13', registryMirrors: {} })).toEqual([]);
  expect(faults({ registryMirrors })).toEqual([]);
});

test('the version and the mirrors may stand in the cluster and in a group', () => {
  expect(faults({ version: '1.4.13' }, { registryMirrors })).toEqual([
    `nodes spec.containerd.registryMirrors: ${UNREAD}`,
  ]);
  expect(faults({ registryMirrors }, { version: '1.4.13' })).toEqual([`nodes spec.containerd.version: ${UNREAD}`]);
  expect(faults({}, { version: '1.4.13', registryMirrors })).toEqual([
    `nodes spec.containerd.registryMirrors: ${UNREAD}`,
  ]);
  expect(faults({ version: '1.4.13' }, { version: '1.7.28', registryMirrors })).toEqual([]);
});
