import { expect, test } from 'vitest';
import { refusedImages } from './refused-images.ts';

const systemsOf = (image: string) =>
  refusedImages({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: {} }, [
    { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' }, spec: { image } },
  ]).map(({ instanceGroup, path, message }) => [instanceGroup, path, message.split(',')[0]]);

test.each([
  ['flatcar/Flatcar-stable-4081.2.0-hvm', 'Flatcar'],
  ['075585003325/Flatcar-beta-4152.1.0-hvm', 'Flatcar'],
  ['123456789012/Flatcar-of-our-own', 'Flatcar'],
  ['coreos/CoreOS-stable-2512.3.0-hvm', 'CoreOS'],
  ['amazon/bottlerocket-aws-k8s-1.34-x86_64-v1.50.0', 'Bottlerocket'],
  ['ssm:/aws/service/bottlerocket/aws-k8s-1.34/x86_64/latest/image_id', 'Bottlerocket'],
])('%s is refused: programs cannot be put into its /usr', (image, system) => {
  expect(systemsOf(image)).toEqual([['nodes', 'spec.image', `'${image}' is ${system}`]]);
});

test.each([
  'ami-0123456789abcdef0',
  'ssm:/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id',
  'ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20260601',
  'debian12/debian-12-amd64-20260601-1',
  'amazon/al2023-ami-2023.9.20260601.0-kernel-6.1-x86_64',
])('%s is accepted', (image) => {
  expect(systemsOf(image)).toEqual([]);
});
