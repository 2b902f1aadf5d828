import { expect, test } from 'vitest';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { refusedImages } from './refused-images.ts';

const systemsOf = (
  image: string,
  kubeProxy: ClusterSpec['kubeProxy'] & object = { enabled: true },
  role: InstanceGroupSpec['role'] = 'Node',
  kubernetesVersion = '1.36.3',
) =>
  refusedImages(
    { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: { kubeProxy, kubernetesVersion } },
    [{ apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' }, spec: { image, role } }],
  ).map(({ instanceGroup, path, message }) => [instanceGroup, path, message.split(',')[0]]);

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
  'redhat/RHEL-9.6.0_HVM-20260601-x86_64-0-Hourly2-GP3',
  'rocky/Rocky-9-EC2-Base-9.6-20260601.0.x86_64',
])('%s is accepted', (image) => {
  expect(systemsOf(image)).toEqual([]);
});

test.each([
  ['amazon/amzn2-ami-hvm-2.0.20240610.1-x86_64-gp2', 'Amazon Linux 2'],
  ['ubuntu/images/hvm-ssd/ubuntu-bionic-18.04-amd64-server-20230531', 'Ubuntu 18.04'],
  ['136693071363/debian-stretch-hvm-x86_64-gp2-2022-07-01', 'Debian 9'],
  ['redhat/RHEL-7.9_HVM-20240604-x86_64-0-Hourly2-GP2', 'Red Hat Enterprise Linux 7'],
  ['125523088429/CentOS Linux 7 x86_64 - 2211', 'CentOS 7'],
  ['ssm:/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2', 'Amazon Linux 2'],
  ['ssm:/aws/service/canonical/ubuntu/server/18.04/stable/current/amd64/hvm/ebs-gp2/ami-id', 'Ubuntu 18.04'],
])('%s is refused: the agents do not start there', (image, system) => {
  expect(systemsOf(image)).toEqual([['nodes', 'spec.image', expect.stringContaining(`is ${system}`)]]);
  expect(systemsOf(image, undefined, 'Bastion')).toEqual([]);
});

test.each([
  ['ubuntu/images/hvm-ssd/ubuntu-focal-20.04-amd64-server-20250603', 'Ubuntu 20.04'],
  ['redhat/RHEL-8.10.0_HVM-20260601-x86_64-0-Hourly2-GP3', 'Red Hat Enterprise Linux 8'],
  ['rocky/Rocky-8-EC2-Base-8.10-20240528.0.x86_64', 'Rocky Linux 8'],
])('%s is refused from the version on that needs cgroup v2', (image, system) => {
  expect(systemsOf(image)).toEqual([['nodes', 'spec.image', expect.stringContaining(`is ${system}`)]]);
  expect(systemsOf(image, undefined, 'Node', '1.34.5')).toEqual([]);
});

const ROCKY = 'rocky/Rocky-10-EC2-Base-10.1-20260601.0.x86_64';

test.each([
  ['redhat/RHEL-10.1.0_HVM-20260601-x86_64-0-Hourly2-GP3', 'Red Hat Enterprise Linux'],
  [ROCKY, 'Rocky Linux'],
  ['centos/CentOS Stream 10 x86_64 20260601', 'CentOS Stream'],
  ['125523088429/Fedora-Cloud-Base-AmazonEC2.x86_64-44-1.7', 'Fedora'],
])('%s is refused where kube-proxy uses iptables', (image, system) => {
  expect(systemsOf(image)).toEqual([['nodes', 'spec.image', `'${image.slice(image.indexOf('/') + 1)}' is ${system}`]]);
});

test('such a system is accepted with nftables, without kube-proxy, and for bastions, which have none', () => {
  expect(systemsOf(ROCKY, { enabled: true, proxyMode: 'iptables' })).toHaveLength(1);
  expect(systemsOf(ROCKY, { enabled: true, proxyMode: 'nftables' })).toEqual([]);
  expect(systemsOf(ROCKY, { enabled: false })).toEqual([]);
  expect(systemsOf(ROCKY, { enabled: true }, 'Bastion')).toEqual([]);
});
