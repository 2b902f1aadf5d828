import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import { expect, test } from 'vitest';
import type { NodeStatus } from '../access/kubernetes-objects.ts';
import { machineCertificates } from './plan-machine-certificates.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const HOUR_MS = 60 * 60_000;

const MACHINES: readonly ExpectedNode[] = [
  { nodeName: 'cp-1', instanceGroup: 'cp', role: 'ControlPlane', running: true },
  { nodeName: 'nodes-1', instanceGroup: 'nodes', role: 'Node', machineId: 'one', running: true },
];
const nodeOf = (
  name: string,
  certificates: Readonly<Record<string, { readonly hours: number; readonly renewalFailure?: string }>>,
  machineId = 'one',
): NodeStatus => ({
  name,
  machineId,
  conditions: [{ type: 'Ready', status: 'True' }],
  state: JSON.stringify({
    certificates: Object.fromEntries(
      Object.entries(certificates).map(([of, { hours, ...more }]) => [
        of,
        { notAfter: new Date(NOW_MS + hours * HOUR_MS).toISOString(), ...more },
      ]),
    ),
  }),
});
const told = (...nodes: readonly NodeStatus[]): readonly string[] => {
  const { failures, warnings } = machineCertificates(nodes, MACHINES, NOW_MS);
  return [
    ...failures.map(({ kind, name, message }) => `${kind} ${name} fails: ${message}`),
    ...warnings.map(({ kind, name, message }) => `${kind} ${name} warns: ${message}`),
  ];
};

test('a certificate of etcd that was not renewed is named while its Node is Ready', () => {
  expect(told(nodeOf('cp-1', { 'etcd-main-peer': { hours: 24 * 200 } }))).toEqual([]);
  expect(told(nodeOf('cp-1', { 'etcd-main-peer': { hours: 24 * 10 } }))).toEqual([
    expect.stringMatching(
      /^Certificate cp-1\/etcd-main-peer warns: expires at 2026-12-01T12:00:00.000Z and was not renewed; .*nodeup/,
    ),
  ]);
  expect(told(nodeOf('cp-1', { 'etcd-main-peer': { hours: -1 } }))).toEqual([
    expect.stringMatching(/^Certificate cp-1\/etcd-main-peer fails: expired at 2026-11-21T11:00:00.000Z; /),
  ]);
});

test('what authorities sign for a kubelet lives for three days, and is named when half a day is left', () => {
  expect(told(nodeOf('nodes-1', { 'kubelet-client': { hours: 20 } }))).toEqual([]);
  expect(told(nodeOf('nodes-1', { 'kubelet-client': { hours: 10 } }))).toEqual([
    expect.stringMatching(/^Certificate nodes-1\/kubelet-client warns: .*node authorities/),
  ]);
});

test('a renewal that fails is named with its reason, however much time is left', () => {
  const failing = { hours: 24 * 100, renewalFailure: 'the signer does not answer' };
  expect(told(nodeOf('cp-1', { kubelet: failing }))).toEqual([
    expect.stringMatching(/and was not renewed: the signer does not answer; /),
  ]);
});

test('what the Node of a former or an unknown machine said no longer counts', () => {
  expect(told(nodeOf('nodes-1', { 'kubelet-client': { hours: -1 } }, 'other'))).toEqual([]);
  expect(told(nodeOf('gone', { 'kubelet-client': { hours: -1 } }))).toEqual([]);
});

test('a machine that says nothing, or nothing that makes sense, is not named', () => {
  const silent: NodeStatus = { name: 'cp-1', machineId: undefined, conditions: [] };
  expect(told(silent, { ...silent, state: '{"certificates":{"kubelet":{"notAfter":"soon"}}}' })).toEqual([]);
});
