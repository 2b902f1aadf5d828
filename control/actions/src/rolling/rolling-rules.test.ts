import { expect, test } from 'vitest';
import { quorumFault } from './etcd-quorum.ts';
import { rollingRules } from './rolling-rules.ts';

const rules = (
  own: object | undefined,
  {
    all,
    size = 10,
    canSurge = true,
    role = 'Node' as const,
  }: { all?: object; size?: number; canSurge?: boolean; role?: 'Node' | 'ControlPlane' } = {},
) => {
  const { maxSurge, maxUnavailable } = rollingRules({
    role,
    size,
    canSurge,
    instanceGroup: own === undefined ? undefined : { spec: { rollingUpdate: own } },
    cluster: { spec: all === undefined ? {} : { rollingUpdate: all } },
  });
  return `+${maxSurge} -${maxUnavailable}`;
};

test('where nothing is set, one more machine is made if the cloud can, and otherwise one is missing', () => {
  expect(rules(undefined)).toBe('+1 -0');
  expect(rules(undefined, { canSurge: false })).toBe('+0 -1');
});

test('a share of a surge is rounded up, one of missing machines down to at least one', () => {
  expect(rules({ maxSurge: '25%', maxUnavailable: '25%' })).toBe('+3 -2');
  expect(rules({ maxSurge: '1%', maxUnavailable: '1%' })).toBe('+1 -1');
  expect(rules({ maxSurge: 0, maxUnavailable: '0%' })).toBe('+0 -1');
});

test('the setting of a group goes before that of its cluster, each by itself', () => {
  expect(rules({ maxUnavailable: 3 }, { all: { maxSurge: 2, maxUnavailable: 1 } })).toBe('+2 -3');
});

test('control planes never get one more, and one of them goes', () => {
  expect(rules({ maxSurge: 3 }, { role: 'ControlPlane', size: 3 })).toBe('+0 -1');
});

const etcd = (...healthy: readonly boolean[]) => [
  {
    name: 'main',
    size: healthy.length,
    members: healthy.map((isHealthy, index) => ({ name: String(index), address: `10.0.0.${index}`, isHealthy })),
  },
];

test.each([
  ['one of three, all well', etcd(true, true, true), '10.0.0.0', undefined],
  [
    'one of three while another is away',
    etcd(true, true, false),
    '10.0.0.0',
    'etcd main would lose its quorum: of its 3 members, 2 does not serve',
  ],
  ['the one of three that is away', etcd(true, true, false), '10.0.0.2', undefined],
  ['one of five while another is away', etcd(true, true, true, true, false), '10.0.0.0', undefined],
  ['the only one', etcd(true), '10.0.0.0', undefined],
  [
    'one of two while the other is away',
    etcd(true, false),
    '10.0.0.0',
    'etcd main would lose its quorum: of its 2 members, 1 does not serve',
  ],
])('etcd decides whether a control plane may go: %s', (_what, etcds, address, fault) => {
  expect(quorumFault(etcds, address)).toBe(fault);
});
