import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import type { AssetSource } from './asset-catalog.ts';
import { replacedPrograms } from './replaced-programs.ts';
import { replacedNote } from './replaced.ts';
import { entry } from '../testdata/asset-index.ts';

const HELD = {
  assets: [
    entry('containerd', '1.6.20', 'a'),
    entry('containerd', '2.4.2', 'b'),
    entry('docker', '20.10.24', 'c'),
    entry('etcd-3.5.35', '3.5.35', 'd'),
    entry('etcd-3.6.16', '3.6.16', 'e'),
    entry('runc', '1.1.5', 'f'),
    entry('runc', '1.5.2', 'g'),
  ],
};

const told = (spec: ClusterSpec, ...groups: readonly InstanceGroupSpec[]): readonly string[] =>
  toldOf(HELD, spec, groups);

function toldOf(held: AssetSource, spec: ClusterSpec, groups: readonly InstanceGroupSpec[]): readonly string[] {
  const cluster: Cluster = {
    apiVersion: '',
    kind: 'Cluster',
    metadata: { name: 'demo.local.test' },
    spec: { kubernetesVersion: '1.36.3', ...spec },
  };
  const instanceGroups = groups.map((one, index): InstanceGroup => ({
    apiVersion: '',
    kind: 'InstanceGroup',
    metadata: { name: `group-${index}` },
    spec: one,
  }));
  return replacedPrograms({ cluster, instanceGroups }, held).map(replacedNote);
}

const note = (wanted: string, used: string) =>
  `Replaced: ${wanted} by ${used}, the nearest version that the prepared assets hold`;

test('tells of a runtime and of an etcd that the assets hold in another version', () => {
  const spec: ClusterSpec = {
    kubernetesVersion: '1.31.14',
    containerd: { version: '1.7.28', runc: { version: 'v1.1.12' } },
    etcdClusters: [{ name: 'main', version: '3.6.12' }],
  };
  expect(told(spec, { role: 'Master' })).toEqual([
    note('containerd 1.7.28', '1.6.20'),
    note('runc 1.1.12', '1.1.5'),
    note('etcd 3.6.12', '3.6.16'),
  ]);
});

test('tells of each replacement once, and of what one group has of its own', () => {
  const spec: ClusterSpec = {
    kubernetesVersion: '1.31.14',
    containerd: { version: '2.3.4' },
    etcdClusters: [
      { name: 'main', version: '3.6.12' },
      { name: 'events', version: '3.6.12' },
    ],
  };
  expect(told(spec, { role: 'Master' }, { role: 'Node' }, { role: 'Node', containerd: { version: '1.6.21' } })).toEqual(
    [note('containerd 2.3.4', '2.4.2'), note('containerd 1.6.21', '1.6.20'), note('etcd 3.6.12', '3.6.16')],
  );
});

test('tells nothing of what is held, of what the spec leaves open, nor of what machines bring', () => {
  const held: ClusterSpec = { containerd: { version: 'v2.4.2' }, etcdClusters: [{ name: 'main', version: '3.6.16' }] };
  expect(told(held, { role: 'Master' })).toEqual([]);
  expect(told({ etcdClusters: [{ name: 'main' }] }, { role: 'Master' })).toEqual([]);
  expect(told({ containerd: { version: '1.7.28', skipInstall: true } }, { role: 'Node' })).toEqual([]);
});

test('tells of another Docker where that runs containers', () => {
  const spec: ClusterSpec = {
    kubernetesVersion: '1.20.2',
    containerRuntime: 'docker',
    docker: { version: '19.03.15' },
  };
  expect(told(spec, { role: 'Master' })).toEqual([note('Docker 19.03.15', '20.10.24')]);
});

test.each([
  ['1.36.3', '2.3.4', ['1.7.32', '2.4.2'], '2.4.2'],
  ['1.36.3', '2.1.0', ['1.7.32', '2.0.7', '3.0.0'], '3.0.0'],
  ['1.31.14', '1.7.32', ['2.4.2'], '2.4.2'],
  ['1.20.2', '1.7.32', ['1.6.20', '2.4.2'], '1.6.20'],
])(
  'with Kubernetes %s, containerd %s is replaced only by one of %j that works with it',
  (version, wanted, held, used) => {
    const assets = [entry('runc', '1.5.2', 'runc'), ...held.map((one) => entry('containerd', one, one))];
    const spec = { kubernetesVersion: version, containerd: { version: wanted } };
    expect(toldOf({ assets }, spec, [{ role: 'Node' }])).toEqual([note(`containerd ${wanted}`, used)]);
  },
);

test.each([
  ['1.36.3', '1.6.20', '>=2.1.0'],
  ['1.22.17', '2.4.2', '>=1.3.4 <2.0.0'],
])('Kubernetes %s is refused where containerd %s is all that the assets hold', (kubernetesVersion, held, range) => {
  const assets = [entry('runc', '1.5.2', 'runc'), entry('containerd', held, 'containerd')];
  const refusal = `cannot find the asset containerd ${range} for amd64: the asset index lists only ${held}`;
  expect(() => toldOf({ assets }, { kubernetesVersion }, [{ role: 'Node' }])).toThrow(refusal);
});
