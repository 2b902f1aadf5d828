import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { patchOf } from './channel.ts';
import { imagesOfGroup } from './images-of-group.ts';
import { versionLadder } from './ladder.ts';
import { newerImage } from './newer-image.ts';
import { planRungs } from './plan-rungs.ts';
import { proposeUpgrade } from './propose-upgrade.ts';
import { STABLE_CHANNEL } from './stable-channel.ts';

const IMAGES = {
  focal: '0997/ubuntu/focal-20.04-amd64-server-20231004',
  jammy: '0997/ubuntu/jammy-22.04-amd64-server-20231207',
  noble: '0997/ubuntu/noble-24.04-amd64-server-20260714',
};
const CLOUD = { name: 'aws', creation: { images: { amd64: IMAGES } } } as const;

const clusterOf = (spec: Cluster['spec']): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo' },
  spec,
});
const groupOf = (name: string, image?: string): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { ...(image !== undefined && { image }) },
});

function upgrade(
  cluster: Cluster,
  {
    applied,
    target,
    channel,
    groups = [],
  }: { applied: string; target: string; channel?: string; groups?: InstanceGroup[] },
) {
  const proposals = proposeUpgrade({
    cluster,
    instanceGroups: groups,
    channel,
    applied,
    target,
    imagesOf: (group) => imagesOfGroup(STABLE_CHANNEL, CLOUD, group, target),
  });
  const ladder = versionLadder({
    applied,
    running: [applied],
    target,
    patchOf: (minor) => patchOf(STABLE_CHANNEL, minor),
  });
  const rungs = planRungs({ cluster, applied, ladder, proposals });
  return {
    rows: proposals.map((one) => `${one.item} ${one.property} ${one.old} -> ${one.new}`),
    rungs: rungs.map(({ changes }) => changes.map(({ kind, name, set }) => `${kind}/${name} ${set.join(' ')}`)),
  };
}

test('A cluster that is as the channel has it needs no upgrade', () => {
  const { rows, rungs } = upgrade(clusterOf({ kubernetesVersion: '1.36.3' }), { applied: '1.36.3', target: '1.36.3' });
  expect([rows, rungs]).toEqual([[], []]);
});

test('The version goes up minor by minor; images come last, the channel first', () => {
  const groups = [groupOf('nodes', IMAGES.jammy), groupOf('own', 'ami-1234')];
  const { rows, rungs } = upgrade(clusterOf({ kubernetesVersion: 'v1.34.4', channel: 'alpha' }), {
    applied: '1.34.4',
    target: '1.36.3',
    channel: 'stable',
    groups,
  });
  expect(rows).toEqual([
    'Cluster Channel alpha -> stable',
    'Cluster KubernetesVersion 1.34.4 -> 1.36.3',
    `InstanceGroup/nodes Image ${IMAGES.jammy} -> ${IMAGES.noble}`,
  ]);
  expect(rungs).toEqual([
    ['Cluster/demo spec.channel=stable', 'Cluster/demo spec.kubernetesVersion=1.35.7'],
    ['Cluster/demo spec.kubernetesVersion=1.36.3', `InstanceGroup/nodes spec.image=${IMAGES.noble}`],
  ]);
});

test('Only a newer image is one step with the version as it is', () => {
  const groups = [groupOf('nodes', '0997/ubuntu/noble-24.04-amd64-server-20250101')];
  const { rungs } = upgrade(clusterOf({ kubernetesVersion: '1.36.3' }), {
    applied: '1.36.3',
    target: '1.36.3',
    groups,
  });
  expect(rungs).toEqual([
    ['Cluster/demo spec.kubernetesVersion=1.36.3', `InstanceGroup/nodes spec.image=${IMAGES.noble}`],
  ]);
});

test('etcd goes first, before the version of Kubernetes that is made for a newer minor of it', () => {
  const cluster = clusterOf({
    kubernetesVersion: '1.32.2',
    etcdClusters: [{ name: 'main', version: '3.5.16' }, { name: 'events' }],
  });
  const { rows, rungs } = upgrade(cluster, { applied: '1.32.2', target: '1.34.10' });
  expect(rows).toEqual(['Cluster KubernetesVersion 1.32.2 -> 1.34.10', 'Cluster EtcdVersion/main 3.5.16 -> 3.6.12']);
  expect(rungs).toEqual([
    ['Cluster/demo spec.kubernetesVersion=1.33.13'],
    ['Cluster/demo spec.kubernetesVersion=1.33.13 spec.etcdClusters[0].version=3.6.12'],
    ['Cluster/demo spec.kubernetesVersion=1.34.10'],
  ]);
});

test('etcd goes one minor version at a time as well', () => {
  const cluster = clusterOf({ etcdClusters: [{ name: 'main', version: '3.4.13' }] });
  const { rungs } = upgrade(cluster, { applied: '1.21.14', target: '1.34.10' });
  const etcd = rungs.flat().filter((line) => line.includes('etcdClusters'));
  expect(etcd).toEqual([
    'Cluster/demo spec.kubernetesVersion=1.21.14 spec.etcdClusters[0].version=3.5.31',
    'Cluster/demo spec.kubernetesVersion=1.33.13 spec.etcdClusters[0].version=3.6.12',
  ]);
});

test.each([
  ['an older release of it', '0997/ubuntu/noble-24.04-amd64-server-20250101', IMAGES.noble],
  ['a newer release of it', '0997/ubuntu/noble-24.04-amd64-server-20270101', undefined],
  ['an older operating system', IMAGES.focal, IMAGES.noble],
  ['an image of somebody else', 'ami-1234', undefined],
  ['no image', undefined, undefined],
])('A group that has %s', (_what, image, wanted) => {
  expect(newerImage(image, { all: Object.values(IMAGES), wanted: IMAGES.noble })).toBe(wanted);
});

test('A newer operating system than the channel has for the version stays', () => {
  expect(newerImage(IMAGES.noble, { all: Object.values(IMAGES), wanted: IMAGES.jammy })).toBeUndefined();
});
