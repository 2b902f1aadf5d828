import { expect, test } from 'vitest';
import type { Roll, Step } from './roll.ts';
import { isMissed } from './start-roll.ts';

const roll = (state: Roll['state'], ...steps: readonly Step[]): Roll => ({
  apiVersion: 'kopsctl.io/v1',
  kind: 'RollingUpdate',
  id: 'one',
  startedMs: 0,
  state,
  turns: steps.map((step, index) => ({
    id: `id-${index}`,
    name: `node-${index}`,
    node: `node-${index}`,
    instanceGroup: 'nodes',
    role: 'Node',
    address: '10.0.0.1',
    why: 'older',
    step,
    sinceMs: 0,
    standing: 'counted',
    passes: 0,
  })),
});

test.each([
  { left: roll('stopped', 'waiting'), isWaitedFor: true },
  { left: roll('paused', 'done', 'waiting'), isWaitedFor: true },
  { left: roll('aborted', 'done', 'waiting'), isWaitedFor: false },
  { left: roll('failed', 'failed', 'waiting'), isWaitedFor: false },
  { left: roll('aborted', 'validate', 'waiting'), isWaitedFor: true },
  { left: roll('failed', 'drain'), isWaitedFor: true },
  { left: roll('done', 'done'), isWaitedFor: false },
])('a rolling update that was $left.state keeps others waiting: $isWaitedFor', ({ left, isWaitedFor }) => {
  expect(isMissed(left)).toBe(isWaitedFor);
});
