import { gunzipSync } from 'node:zlib';
import { API_LOAD_BALANCER } from '@kopsctl/node-plan/boot-config.ts';
import type { Resolved } from '@kopsctl/model/resolved.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { AWS_CLOUDFORMATION } from './cloudformation/aws-cloudformation.ts';
import type { LaunchTemplateProps } from './kinds/compute.ts';
import { launchTemplateData, userDataBytes } from './launch-template-data.ts';
import { type Made, made } from './model/testdata/made-cluster.ts';

/** Machines that find the API by the name of its load balancer, which user-data then holds. */
const BALANCED: ClusterSpec = { api: { loadBalancer: { type: 'Public' } }, topology: { dns: { type: 'None' } } };

const compressed = (spec: ClusterSpec = {}): Made => made(spec, { nodes: { role: 'Node', compressUserData: true } });

function templateOf({ tasks }: Made, apiLoadBalancer: string): Resolved<LaunchTemplateProps> {
  const task = tasks.find(({ kind, name }) => kind === 'aws/LaunchTemplate' && name.startsWith('nodes.'));
  // A task that the model made. The one output that user-data needs is resolved.
  return { ...task?.props, apiLoadBalancer } as unknown as Resolved<LaunchTemplateProps>;
}

function userDataOf(all: Made, apiLoadBalancer: string): Buffer {
  const image = { id: 'ami-1', rootDevice: '/dev/xvda' };
  const data = launchTemplateData(templateOf(all, apiLoadBalancer), { image, isStandIn: false });
  return Buffer.from(data.UserData ?? '', 'base64');
}

test('EC2 gets the whole user-data as gzip, in bytes that do not tell on which system it was planned', () => {
  const bytes = userDataOf(compressed(BALANCED), 'api.elb.example.com');
  expect(gunzipSync(bytes).toString()).toBe('#!/bin/sh\n: api.elb.example.com\n');
  expect(bytes[9]).toBe(255);
  expect(userDataOf(made(BALANCED), 'lb').toString()).toBe('#!/bin/sh\n: lb\n');
});

test('Terraform compresses user-data, with the name of the load balancer in it', () => {
  const file = 'file("${path.module}/data/aws_launch_template_nodes.demo.example.com_user_data")';
  expect(compressed().terraform()).toContain(`base64gzip(${file})`);
  expect(compressed(BALANCED).terraform()).toContain(`base64gzip(replace(${file}, "${API_LOAD_BALANCER}", `);
  expect(made({}).terraform()).not.toContain('base64gzip');
});

test('CloudFormation, which compresses nothing, is refused what only its stack will know', () => {
  const write = () =>
    AWS_CLOUDFORMATION['aws/LaunchTemplate'].resources('nodes', templateOf(compressed(BALANCED), 'lb'), {
      idOf: () => 'id',
      token: () => 'token',
      tasks: () => [],
    });
  expect(write).toThrow(/remove spec.compressUserData|CloudFormation cannot compress user data/);
});

test('user data that EC2 would refuse as it launches machines is refused in the plan', () => {
  const name = 'nodes.demo.example.com';
  const random = Array.from({ length: 16_385 }, (_, index) => String.fromCharCode(33 + ((index * 7919) % 90))).join('');
  expect(userDataBytes(random.slice(1), { name })).toHaveLength(16_384);
  expect(() => userDataBytes(random, { name })).toThrow(`${name}: their user data has 16385 bytes`);
  expect(userDataBytes('x'.repeat(100_000), { name, compressed: true }).length).toBeLessThan(1_000);
});
