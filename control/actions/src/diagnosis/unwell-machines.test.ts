import { expect, test } from 'vitest';
import type { NodeStatus } from '../access/kubernetes-objects.ts';
import { unwellFindings, unwellMachines } from './unwell-machines.ts';

const node = (name: string, isReady: boolean): NodeStatus => ({
  name,
  machineId: undefined,
  conditions: [
    { type: 'Ready', status: isReady ? 'True' : 'Unknown', message: 'Kubelet stopped posting node status.' },
  ],
});
const machine = (nodeName: string, instanceGroup: string) =>
  ({ nodeName, instanceGroup, role: 'Node', running: true }) as const;

const NOW_MS = Date.UTC(2030, 0, 1, 12);
const lease = (node: string, time: string) => ({
  metadata: { name: node, creationTimestamp: '2030-01-01T09:00:00Z', managedFields: [{ manager: 'kubelet', time }] },
  spec: { renewTime: time, leaseDurationSeconds: 40 },
});
const kubeWith = (...items: readonly unknown[]) => ({ timeMs: async () => NOW_MS, get: async () => ({ items }) });
const SIGNAL = AbortSignal.timeout(5_000);

test('of an instance group that lacks no machines, those that are not Ready are named, and no others', async () => {
  const running = { machines: [machine('nodes-1', 'nodes'), machine('nodes-2', 'nodes'), machine('gpu-1', 'gpu')] };
  const nodes = [node('nodes-1', true), node('nodes-2', false), node('gpu-1', false)];
  const api = { nodes: async () => nodes, systemPods: async () => [] };
  const unwell = await unwellMachines('nodes', running, { api, kube: kubeWith() }, SIGNAL);
  expect(unwellFindings('nodes', unwell)).toEqual([
    {
      what: 'not healthy in the instance group nodes: nodes-2',
      because: ['nodes-2: not Ready: Kubelet stopped posting node status.'],
      next: '`kopsctl explain node nodes-2` says why',
    },
  ]);
  expect(unwellFindings('nodes', { failures: [] })).toEqual([]);
});

test('a machine is named whose kubelet is silent although its Node says Ready', async () => {
  const running = { machines: [machine('nodes-1', 'nodes'), machine('nodes-2', 'nodes')] };
  const api = { nodes: async () => [node('nodes-1', true), node('nodes-2', true)], systemPods: async () => [] };
  const kube = kubeWith(lease('nodes-1', '2030-01-01T11:59:55Z'), lease('nodes-2', '2030-01-01T11:59:00Z'));
  const unwell = await unwellMachines('nodes', running, { api, kube }, SIGNAL);
  expect(unwellFindings('nodes', unwell).map(({ because }) => because)).toEqual([
    ['nodes-2: says Ready, but its kubelet has not renewed its lease for 60 s'],
  ]);
});

test('it is said when it is not known whether kubelets are silent', async () => {
  const running = { machines: [machine('nodes-1', 'nodes')] };
  const api = { nodes: async () => [node('nodes-1', true)], systemPods: async () => [] };
  const get = async () => Promise.reject(new Error('leases is forbidden'));
  const unwell = await unwellMachines('nodes', running, { api, kube: { timeMs: async () => NOW_MS, get } }, SIGNAL);
  expect(unwellFindings('nodes', unwell).map(({ what }) => what)).toEqual([
    'it is not known whether kubelets are silent, which requires the right to list leases in kube-node-lease: leases is forbidden',
  ]);
});

test('without an API nothing is concluded about its machines', () => {
  expect(unwellFindings('nodes', { failure: 'connect ECONNREFUSED' })[0]?.what).toMatch(/is not known/);
});

test('of many unwell machines the first ten are listed', () => {
  const failures = Array.from(
    { length: 12 },
    (_, at) => ({ kind: 'Node', name: `nodes-${at}`, message: 'not Ready', instanceGroup: 'nodes' }) as const,
  );
  const [finding] = unwellFindings('nodes', { failures });
  expect(finding?.because).toHaveLength(11);
  expect(finding?.because.at(-1)).toBe('and 2 more');
});
