import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { machineFaults } from './machine-faults.ts';

const FACTS = {
  region: 'eu-west-1',
  images: new Map([
    ['ami-1', 'x86_64'],
    ['ami-2', 'arm64'],
    ['ami-3', undefined],
  ]),
  machineTypes: new Map([
    ['t3.large', ['x86_64']],
    ['t2.small', ['i386', 'x86_64']],
    ['m6g.large', ['arm64']],
  ]),
};
const faultsOf = (spec: InstanceGroupSpec) =>
  machineFaults(
    [{ apiVersion: 'kops.k8s.io/v1alpha2', kind: 'InstanceGroup', metadata: { name: 'nodes' }, spec }],
    FACTS,
  );

test('images and machine types that fit are taken', () => {
  expect(faultsOf({ image: 'ami-1', machineType: 't3.large,t2.small' })).toEqual([]);
  expect(faultsOf({ image: 'ami-2', machineType: 'm6g.large' })).toEqual([]);
  expect(faultsOf({ image: 'ami-1' })).toEqual([]);
});

test('an image that cannot be used, and a machine type that the region does not have, are named where they stand', () => {
  expect(faultsOf({ image: 'ami-3', machineType: 't3.huge' })).toMatchObject([
    { instanceGroup: 'nodes', path: 'spec.image', message: expect.stringContaining('ami-3') },
    { instanceGroup: 'nodes', path: 'spec.machineType', message: 'eu-west-1 has no machine type t3.huge' },
  ]);
});

test('each machine type runs the architecture of the image', () => {
  const mixedInstancesPolicy = { instances: ['t3.large', 'm6g.large'] };
  expect(faultsOf({ image: 'ami-1', machineType: 't3.large', mixedInstancesPolicy })).toEqual([
    {
      instanceGroup: 'nodes',
      path: 'spec.mixedInstancesPolicy.instances[1]',
      message: 'the processors of m6g.large (arm64) do not run the image ami-1 (x86_64)',
      hint: 'use an image for arm64, or a machine type with processors for x86_64',
    },
  ]);
});
