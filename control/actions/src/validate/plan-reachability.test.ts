import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import { expect, test } from 'vitest';
import type { NodeStatus } from '../access/kubernetes-objects.ts';
import { dnsFailures, type ResolvedName, serviceFailures } from './plan-reachability.ts';

const machine = (nodeName: string, ...addresses: readonly string[]): ExpectedNode => ({
  nodeName,
  instanceGroup: 'cp',
  role: 'ControlPlane',
  running: true,
  addresses,
});
const node = (name: string, address: string, status = 'True'): NodeStatus => ({
  name,
  machineId: undefined,
  conditions: [{ type: 'Ready', status }],
  internalAddresses: [address],
});
const resolved = (...addresses: readonly string[]): ResolvedName => ({
  name: 'api.demo.example.com',
  addresses,
  isLoadBalanced: false,
});
const MACHINES = [machine('a', '10.0.0.1', '198.51.100.1'), machine('b', '10.0.0.2', '2001:DB8::2')];
const told = (name: ResolvedName, machines = MACHINES) => dnsFailures(name, machines).map(({ message }) => message);

test('a name that leads to control planes is well, in whatever way an address is written', () => {
  expect(told(resolved('198.51.100.1', '2001:db8:0::2'))).toEqual([]);
});

test('the placeholder of a name that has no address yet is told as what it is', () => {
  expect(told(resolved('203.0.113.123'))).toEqual([expect.stringContaining('placeholder address 203.0.113.123')]);
});

test('a name that leads elsewhere, or nowhere, is told', () => {
  expect(told(resolved('10.0.0.1', '10.9.9.9'))).toEqual(['resolves to 10.9.9.9, which no control plane has']);
  expect(told(resolved())).toEqual(['has no address']);
  expect(told({ ...resolved(), failure: 'ENOTFOUND' })).toEqual(['cannot be resolved: ENOTFOUND']);
});

test('the addresses of a load balancer, and of machines whose own are not known, are not compared', () => {
  expect(told({ ...resolved('192.0.2.9'), isLoadBalanced: true })).toEqual([]);
  expect(told(resolved('192.0.2.9'), [machine('a')])).toEqual([]);
});

const services = (kubernetes: readonly string[] | undefined, clusterDns?: readonly string[]) =>
  serviceFailures({ kubernetes, clusterDns }, MACHINES, [node('a', '10.0.0.1'), node('b', '10.0.0.2')]).map(
    ({ name, message }) => `${name}: ${message}`,
  );

test('the Service of the API leads to each control plane whose Node is Ready', () => {
  expect(services(['10.0.0.1', '10.0.0.2'])).toEqual([]);
  expect(services(['10.0.0.1'])).toEqual(['default/kubernetes: does not lead to the API server of b']);
  expect(services([])).toEqual([expect.stringMatching(/^default\/kubernetes: has no address/)]);
  expect(
    serviceFailures({ kubernetes: ['10.0.0.1'], clusterDns: undefined }, MACHINES, [node('b', '10.0.0.2', 'False')]),
  ).toEqual([]);
});

test('a cluster without its own DNS is not asked for it, and one with it must have a pod that answers', () => {
  expect(services(['10.0.0.1', '10.0.0.2'], undefined)).toEqual([]);
  expect(services(['10.0.0.1', '10.0.0.2'], [])).toEqual([
    expect.stringMatching(/^kube-system\/kube-dns: has no ready/),
  ]);
});
