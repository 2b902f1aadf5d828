import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import { expect, test } from 'vitest';
import type { NodeStatus, PodStatus } from '../access/kubernetes-objects.ts';
import { type ObservedCluster, validationFailures, type WantedGroup } from './plan-validation.ts';

const ready = (name: string, status = 'True', machineId?: string): NodeStatus => ({
  name,
  machineId,
  conditions: [{ type: 'Ready', status, message: 'CNI missing' }],
});
const pod = (name: string, phase = 'Running', isReady = true): PodStatus => ({
  name,
  namespace: 'kube-system',
  priorityClassName: 'system-node-critical',
  phase,
  containers: [{ name: 'main', ready: isReady }],
});
const staticPodsOf = (node: string) =>
  ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((component) => pod(`${component}-${node}`));

const controlPlane: ExpectedNode = { nodeName: 'cp', instanceGroup: 'cp', role: 'ControlPlane', running: true };
const worker: ExpectedNode = { nodeName: 'w', instanceGroup: 'nodes', role: 'Node', running: true };
const bastion: ExpectedNode = { nodeName: 'i-9', instanceGroup: 'bastions', role: 'Bastion', running: true };
const CP: WantedGroup = { name: 'cp', role: 'ControlPlane', minSize: 1 };
const NODES: WantedGroup = { name: 'nodes', role: 'Node', minSize: 1 };

/** A valid cluster of one control plane and one worker, changed. */
const observed = (changes: Partial<ObservedCluster> = {}): ObservedCluster => ({
  groups: [CP, NODES],
  running: { machines: [controlPlane, worker] },
  nodes: [ready('cp'), ready('w')],
  systemPods: staticPodsOf('cp'),
  ...changes,
});
const told = (changes: Partial<ObservedCluster>, maxUnreadyNodes?: number): readonly string[] =>
  validationFailures(observed(changes), maxUnreadyNodes).map(
    ({ kind, name, message }) => `${kind} ${name}: ${message}`,
  );

test('a cluster whose machines are Ready nodes with their system pods is valid', () => {
  expect(told({})).toEqual([]);
});

test('every fault is reported at once, each under its own name', () => {
  const off = { ...worker, nodeName: 'off', running: false };
  expect(
    told({
      running: { machines: [controlPlane, worker, off] },
      nodes: [ready('cp', 'False')],
      systemPods: [pod('kube-proxy-w', 'Running', false)],
    }),
  ).toEqual([
    'Node cp: not Ready: CNI missing',
    'Machine w: the machine has not yet joined the cluster',
    'Machine off: the machine is not running',
    'Pod kube-system/kube-proxy-w: is not ready (main)',
  ]);
});

test('a Node that says Ready is not valid while its kubelet is silent, unless that many workers may be unready', () => {
  const silentMs = new Map([['w', 63_400]]);
  expect(told({ silentMs })).toEqual(['Node w: says Ready, but its kubelet has not renewed its lease for 63 s']);
  expect(told({ silentMs }, 1)).toEqual([]);
  // Of one that says why it is not Ready, that is told.
  expect(told({ silentMs, nodes: [ready('cp'), ready('w', 'Unknown')] })).toEqual(['Node w: not Ready: CNI missing']);
});

test('a group that lacks a machine is not valid, although all its other machines are', () => {
  expect(told({ groups: [{ ...CP, minSize: 3 }, NODES] })).toEqual(['InstanceGroup cp: has 1 of 3 machines']);
  expect(told({ running: { machines: [controlPlane, worker], desired: { cp: 1, nodes: 2 } } })).toEqual([
    'InstanceGroup nodes: has 1 of 2 machines',
  ]);
  const running = { machines: [controlPlane, worker], desired: { cp: 1, nodes: 2 }, shortfalls: { nodes: 'no quota' } };
  expect(told({ running })).toEqual(['InstanceGroup nodes: has 1 of 2 machines: no quota']);
});

test('a control plane whose machine is gone is missed, whatever its Node says', () => {
  const machines = [controlPlane, worker];
  const nodes = [ready('cp'), ready('w'), ready('cp-2', 'Unknown')];
  expect(told({ groups: [{ ...CP, minSize: 2 }, NODES], running: { machines }, nodes })).toEqual([
    'InstanceGroup cp: has 1 of 2 machines',
  ]);
});

test('a group that its cloud does not have is missing', () => {
  expect(told({ running: { machines: [controlPlane, worker], desired: { nodes: 1 } } })).toEqual([
    expect.stringMatching(/^InstanceGroup cp: does not exist in the cloud/),
  ]);
});

test('a cloud that keeps fewer machines than minSize, or more, is asked for as many as it keeps', () => {
  expect(
    told({ groups: [CP, { ...NODES, minSize: 5 }], running: { ...observed().running, desired: { cp: 1, nodes: 1 } } }),
  ).toEqual([]);
});

test('a machine that was detached does not count for its group, and nothing is asked of it', () => {
  const detached = { ...worker, nodeName: 'old', isDetached: true };
  expect(told({ running: { machines: [controlPlane, worker, detached] } })).toEqual([]);
  expect(told({ running: { machines: [controlPlane, { ...worker, isDetached: true }] } })).toEqual([
    'InstanceGroup nodes: has 0 of 1 machines',
  ]);
});

test('a bastion must run, and no Node is asked of it', () => {
  const groups: readonly WantedGroup[] = [CP, NODES, { name: 'bastions', role: 'Bastion', minSize: 1 }];
  const running = (one: ExpectedNode) => ({ machines: [controlPlane, worker, one] });
  expect(told({ groups, running: running(bastion) })).toEqual([]);
  expect(told({ groups, running: running({ ...bastion, running: false }) })).toEqual([
    'Machine i-9: the machine is not running',
  ]);
  expect(told({ groups })).toEqual(['InstanceGroup bastions: has 0 of 1 machines']);
});

test('as many workers as are allowed may be not Ready, and no control plane', () => {
  const nodes = [ready('cp'), ready('w', 'False')];
  expect(told({ nodes }, 1)).toEqual([]);
  expect(told({ nodes: [ready('cp', 'False'), ready('w')] }, 1)).toEqual(['Node cp: not Ready: CNI missing']);
  const machines = [controlPlane, worker, { ...worker, nodeName: 'w2' }];
  expect(told({ running: { machines }, nodes }, 1)).toHaveLength(2);
});

test('a Node that a former machine of that name left behind is not the machine', () => {
  const machines = [controlPlane, { ...worker, machineId: 'new' }];
  expect(told({ running: { machines }, nodes: [ready('cp'), ready('w', 'True', 'old')] })).toEqual([
    'Machine w: the machine has not yet taken its Node over',
  ]);
});

test('a Ready control-plane node without its static pods is not valid', () => {
  expect(told({ systemPods: staticPodsOf('cp').slice(1) })).toEqual(['Node cp: has no kube-apiserver pod']);
});

test('an API server on a machine of its own is not valid without its pod, and needs no other', () => {
  const machine: ExpectedNode = { nodeName: 'api', instanceGroup: 'api', role: 'APIServer', running: true };
  const changes = {
    groups: [CP, NODES, { name: 'api', role: 'APIServer', minSize: 1 } as const],
    running: { machines: [controlPlane, worker, machine] },
    nodes: [ready('cp'), ready('w'), ready('api')],
  };
  expect(told(changes)).toEqual(['Node api: has no kube-apiserver pod']);
  expect(told({ ...changes, systemPods: [...staticPodsOf('cp'), pod('kube-apiserver-api')] })).toEqual([]);
});

test('pods that are not critical may be in any state, and finished ones are well', () => {
  const systemPods = [
    ...staticPodsOf('cp'),
    { ...pod('batch', 'Pending'), priorityClassName: undefined },
    pod('job', 'Succeeded', false),
  ];
  expect(told({ systemPods })).toEqual([]);
  expect(told({ systemPods: [...staticPodsOf('cp'), pod('coredns', 'Pending')] })).toEqual([
    'Pod kube-system/coredns: is Pending',
  ]);
});
