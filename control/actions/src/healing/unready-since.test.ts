import { expect, test } from 'vitest';
import { unreadySinceMs } from './unready-since.ts';

const at = (time: string): string => `2030-01-01T${time}Z`;

interface Told {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly since?: string;
  readonly heartbeat: string;
  /** When the API server last took something from this writer. */
  readonly written?: string;
  readonly writer?: string;
  readonly created?: string;
}

const node = ({ status, since, heartbeat, written, writer = 'kubelet', created = '00:00:00' }: Told) => ({
  metadata: {
    creationTimestamp: at(created),
    managedFields: [
      { manager: 'kopsctl', time: at('23:00:00') },
      ...(written === undefined ? [] : [{ manager: writer, time: at(written) }]),
    ],
  },
  status: {
    conditions: [
      { type: 'MemoryPressure', status: 'False', lastTransitionTime: at('00:00:00') },
      { type: 'Ready', status, lastHeartbeatTime: at(heartbeat), ...(since && { lastTransitionTime: at(since) }) },
    ],
  },
});

test.each<[string, Told, string | undefined]>([
  ['a Node that is Ready', { status: 'True', since: '10:00:00', heartbeat: '12:00:00' }, undefined],
  ['a Node that says no time', { status: 'False', heartbeat: '12:00:00' }, undefined],
  [
    'a kubelet whose clock is right',
    { status: 'False', since: '11:50:00', heartbeat: '12:00:00', written: '12:00:00' },
    '11:50:00',
  ],
  [
    'a kubelet whose clock is two hours behind',
    { status: 'False', since: '09:50:00', heartbeat: '10:00:00', written: '12:00:00' },
    '11:50:00',
  ],
  [
    'a kubelet whose clock is ahead',
    { status: 'False', since: '13:50:00', heartbeat: '14:00:00', written: '12:00:00' },
    '13:50:00',
  ],
  [
    'a kubelet that is silent, which kube-controller-manager says',
    { status: 'Unknown', since: '12:01:00', heartbeat: '10:00:00', written: '12:00:00' },
    '12:01:00',
  ],
  [
    'another writer, whose time says nothing about the kubelet',
    { status: 'False', since: '11:50:00', heartbeat: '12:00:00', written: '13:00:00', writer: 'kubectl' },
    '11:50:00',
  ],
  [
    'a Node that is newer than its kubelet says',
    { status: 'False', since: '09:50:00', heartbeat: '10:00:00', created: '11:59:00' },
    '11:59:00',
  ],
])('since when it is not Ready: %s', (_what, told, since) => {
  expect(unreadySinceMs(node(told))).toBe(since === undefined ? undefined : Date.parse(at(since)));
});
