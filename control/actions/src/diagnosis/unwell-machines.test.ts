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

test('of an instance group that lacks no machines, those that are not Ready are named, and no others', async () => {
  const running = { machines: [machine('nodes-1', 'nodes'), machine('nodes-2', 'nodes'), machine('gpu-1', 'gpu')] };
  const nodes = [node('nodes-1', true), node('nodes-2', false), node('gpu-1', false)];
  const api = { nodes: async () => nodes, systemPods: async () => [] };
  const unwell = await unwellMachines('nodes', running, api, AbortSignal.timeout(5_000));
  expect(unwellFindings('nodes', unwell)).toEqual([
    {
      what: 'not healthy in the instance group nodes: nodes-2',
      because: ['nodes-2: not Ready: Kubelet stopped posting node status.'],
      next: '`kopsctl explain node nodes-2` says why',
    },
  ]);
  expect(unwellFindings('nodes', { failures: [] })).toEqual([]);
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
