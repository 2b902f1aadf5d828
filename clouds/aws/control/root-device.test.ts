import { expect, test } from 'vitest';
import { hasUsualRootDevice, rootDeviceOf } from './root-device.ts';

test.each([
  ['136693071363/debian-12-amd64-20240717-1811', true],
  ['debian13/debian-13-amd64-20260601-2000', true],
  ['075585003325/Flatcar-stable-4081.2.0-hvm', true],
  ['137112412989/al2023-ami-2023.6.20250107.0-kernel-6.1-x86_64', true],
  ['amazon/amzn2-ami-kernel-5.10-hvm-2.0.20250201.0-x86_64-gp2', true],
  ['ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64', true],
  ['ssm:/aws/service/bottlerocket/aws-k8s-1.36/x86_64/latest/image_id', true],
  // Canonical, Red Hat and Rocky use /dev/sda1.
  ['099720109477/ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20260714', false],
  ['ubuntu/images/hvm-ssd/ubuntu-jammy-22.04-amd64-server-20231207', false],
  ['redhat/RHEL-9.4.0_HVM-20240605-x86_64-82-Hourly2-GP3', false],
  ['ssm:/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id', false],
  // Amazon publishes images of others too.
  ['amazon/Deep Learning AMI Ubuntu Linux - 2.4_Oct2017', false],
  // An id does not tell whose image it is.
  ['ami-785db401', false],
  ['my-own-image', false],
])('whether %s is known to have the usual root device: %s', (image, isKnown) => {
  expect(hasUsualRootDevice(image)).toBe(isKnown);
});

test.each([
  ['debian13/debian-13-amd64-20260601-2000', '/dev/xvda'],
  ['ubuntu/images/hvm-ssd/ubuntu-jammy-22.04-amd64-server-20231207', '/dev/sda1'],
  ['redhat/RHEL-9.4.0_HVM-20240605-x86_64-82-Hourly2-GP3', '/dev/sda1'],
  ['ssm:/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id', '/dev/sda1'],
  ['ami-785db401', undefined],
  ['my-own-image', undefined],
])('the root device of %s is %s, as far as its publisher tells', (image, device) => {
  expect(rootDeviceOf(image)).toBe(device);
});
