import { expect, test } from 'vitest';
import type { NodeStatus, PodStatus } from '../access/kubernetes-api.ts';
import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import { validationFailures } from './plan-validation.ts';

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
const controlPlane: ExpectedNode = { nodeName: 'cp', instanceGroup: 'cp', role: 'ControlPlane', running: true };
const worker: ExpectedNode = { nodeName: 'w', instanceGroup: 'nodes', role: 'Node', running: true };
const staticPods = ['kube-apiserver-cp', 'kube-controller-manager-cp', 'kube-scheduler-cp'].map((name) => pod(name));

test('a cluster whose machines are Ready nodes with their system pods is valid', () => {
  expect(validationFailures([controlPlane, worker], [ready('cp'), ready('w')], staticPods)).toEqual([]);
});

test('every fault is reported at once, each under its own name', () => {
  const failures = validationFailures(
    [controlPlane, worker, { ...worker, nodeName: 'off', running: false }],
    [ready('cp', 'False')],
    [pod('kube-proxy-w', 'Running', false)],
  );
  expect(failures.map(({ kind, name, message }) => `${kind} ${name}: ${message}`)).toEqual([
    'Node cp: not Ready: CNI missing',
    'Machine w: the machine has not yet joined the cluster',
    'Machine off: the machine is not running',
    'Pod kube-system/kube-proxy-w: is not ready (main)',
  ]);
});

test('a Node that a former machine of that name left behind is not the machine', () => {
  const former = ready('w', 'True', 'old');
  const failures = validationFailures([{ ...worker, machineId: 'new' }], [former], []);
  expect(failures.map(({ message }) => message)).toEqual(['the machine has not yet taken its Node over']);
});

test('a Ready control-plane node without its static pods is not valid', () => {
  const failures = validationFailures([controlPlane], [ready('cp')], staticPods.slice(1));
  expect(failures.map(({ message }) => message)).toEqual(['has no kube-apiserver pod']);
});

test('an API server on a machine of its own is not valid without its pod, and needs no other', () => {
  const machine: ExpectedNode = { nodeName: 'api', instanceGroup: 'apiservers', role: 'APIServer', running: true };
  const failures = validationFailures([machine], [ready('api')], []);
  expect(failures.map(({ message }) => message)).toEqual(['has no kube-apiserver pod']);
  expect(validationFailures([machine], [ready('api')], [pod('kube-apiserver-api')])).toEqual([]);
});
