import type { NodeDrift } from '@kopsctl/node-plan/drift-report.ts';
import { expect, test } from 'vitest';
import { driftWarnings } from './plan-drift-warnings.ts';

const node = (name: string, state?: string) => ({
  name,
  machineId: name,
  conditions: [],
  ...(state !== undefined && { state }),
});
const drift = (differences: NodeDrift['differences']): string =>
  JSON.stringify({ drift: { checkedAt: '2030-01-01T00:00:00.000Z', planHash: 'a'.repeat(64), differences } });

test('a Node that differs from its plan is warned about, and no other', () => {
  const stopped = { task: 'Service/kubelet.service', what: 'start kubelet.service', outcome: 'reported' } as const;
  expect(driftWarnings([node('a', drift([stopped])), node('b', drift([])), node('c'), node('d', 'nonsense')])).toEqual([
    {
      kind: 'Node',
      name: 'a',
      message: 'differs from its plan in Service/kubelet.service: would start kubelet.service',
    },
  ]);
});

test('a repair that was not made says why', () => {
  const held = {
    task: 'Certificate/server',
    what: 'issue /server.crt',
    outcome: 'held',
    why: 'keys may change',
  } as const;
  expect(driftWarnings([node('a', drift([held]))]).map(({ message }) => message)).toEqual([
    'differs from its plan in Certificate/server: would issue /server.crt (keys may change)',
  ]);
});
