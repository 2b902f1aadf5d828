import { adviceFor, patchOf } from '@kopsctl/model/upgrade/channel.ts';
import { imagesOfGroup } from '@kopsctl/model/upgrade/images-of-group.ts';
import { expect, test } from 'vitest';
import { parseChannel } from './parse-channel.ts';

const channel = parseChannel(`
spec:
  images:
  - name: 0997/ubuntu/noble-24.04-amd64-server-20260801
    providerID: aws
    architectureID: amd64
    kubernetesVersion: ">=1.32.0"
  - name: 0997/ubuntu/noble-24.04-arm64-server-20260801
    providerID: aws
    architectureID: arm64
    kubernetesVersion: ">=1.32.0"
  - name: ubuntu-os-cloud/ubuntu-2404-noble-amd64-v20260801
    providerID: gce
    kubernetesVersion: ">=1.32.0"
  cluster: {kubernetesVersion: v1.5.8, networking: {kubenet: {}}}
  kubernetesVersions:
  - {range: ">=1.36.0", recommendedVersion: 1.36.9, requiredVersion: 1.36.0}
  - {range: ">=1.35.0", recommendedVersion: 1.35.8, requiredVersion: 1.35.1}
  kopsVersions:
  - {range: ">=1.37.0-alpha.1", kubernetesVersion: 1.36.9}
  - {range: ">=1.36.0-alpha.1", kubernetesVersion: 1.35.8}
`);

test('A channel names the version for new clusters, by the line for this release of kops', () => {
  expect(channel.kubernetes).toBe('1.36.9');
});

test('A channel names recommended and required versions', () => {
  expect(adviceFor(channel, '1.35.3')).toMatchObject({ recommended: '1.35.8', required: '1.35.1' });
  expect(adviceFor(channel, '1.20.0')).toBeUndefined();
  expect([patchOf(channel, '1.35'), patchOf(channel, '1.20')]).toEqual(['1.35.8', '1.20.0']);
});

test('A channel has images for clouds and processors', () => {
  const cloud = { name: 'aws', creation: {} } as const;
  const wanted = (image: string) =>
    imagesOfGroup(channel, cloud, { spec: { image } } as Parameters<typeof imagesOfGroup>[2], '1.36.9')?.wanted;
  expect(wanted('0997/ubuntu/noble-24.04-amd64-server-1')).toContain('amd64-server-20260801');
  expect(wanted('0997/ubuntu/noble-24.04-arm64-server-1')).toContain('arm64-server-20260801');
});

test.each(['', 'spec: []', '{"kind": "Pod"}', 'spec: {kubernetesVersions: [{}]}'])('%j is not a channel', (text) => {
  expect(() => parseChannel(text)).toThrow(/Invalid input/);
});

test('An image without a provider is for no cloud, as in kops', () => {
  const { images } = parseChannel('spec: {images: [{name: anywhere}, {name: ami-1, providerID: aws}]}');
  expect(images?.map(({ image, cloud }) => [image, cloud])).toEqual([
    ['anywhere', ''],
    ['ami-1', 'aws'],
  ]);
});
