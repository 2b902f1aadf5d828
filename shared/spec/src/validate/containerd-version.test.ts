import { expect, test } from 'vitest';
import type { ContainerdConfig } from '../cluster.ts';
import { validateContainerdVersion } from './containerd-version.ts';

const registryMirrors = { 'docker.io': ['https://mirror.example.com'] };

const faults = (
  ofCluster: ContainerdConfig,
  ofGroup?: ContainerdConfig,
  kubernetesVersion = '1.24.17',
): readonly string[] => {
  const spec = { kubernetesVersion, containerd: ofCluster };
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'c.test' }, spec } as const;
  const group = { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' } } as const;
  const containerd = ofGroup === undefined ? {} : { containerd: ofGroup };
  return [...validateContainerdVersion(cluster, [{ ...group, spec: containerd }])].map(
    ({ instanceGroup = 'cluster', path, message }) => `${instanceGroup} ${path}: ${message}`,
  );
};
const UNREAD = 'containerd 1.4.13 would not read the mirrors; 1.5.0 is the first that does';

test.each([
  ['1.20.2', '1.3.3', '>=1.3.4 <2.0.0'],
  ['1.22.17', '2.0.0', '>=1.3.4 <2.0.0'],
  ['1.22.17', 'v2.4.2', '>=1.3.4 <2.0.0'],
  ['1.22.17', '2.0.0-rc.1', '>=1.3.4 <2.0.0'],
  ['1.26.0', '1.5.18', '>=1.6.0'],
  ['1.36.3', '1.7.32', '>=2.1.0'],
])('Kubernetes %s does not run on containerd %s, in the cluster and in a group', (kubernetes, version, range) => {
  const fault = `spec.containerd.version: Kubernetes ${kubernetes} needs containerd ${range}, not ${version}`;
  expect(faults({ version }, {}, kubernetes)).toEqual([`cluster ${fault}`]);
  expect(faults({}, { version }, kubernetes)).toEqual([`nodes ${fault}`]);
});

test.each([
  ['1.20.2', '1.6.20'],
  ['1.23.0', '2.4.2'],
  ['1.31.14', '1.7.32'],
  ['1.36.3', '2.3.0-rc.1'],
])('Kubernetes %s runs on containerd %s', (kubernetes, version) => {
  expect(faults({ version }, {}, kubernetes)).toEqual([]);
});

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
