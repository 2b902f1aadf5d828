import { expect, test } from 'vitest';
import { planAddons, REPAIR_MS } from './plan-addons.ts';

const HASH = 'a'.repeat(64);
const addon = { name: 'net', manifest: 'addons/net/k8s-1.12.yaml', manifestHash: HASH };

test('a recorded addon is applied once by each leader, and again only to undo manual changes', () => {
  const steps = (
    applied: [string, { manifestHash: string; appliedMs: number }][],
    recorded: [string, string][],
    nowMs: number,
  ) => planAddons([addon], new Map(applied), new Map(recorded), nowMs).map(({ action }) => action);
  expect(steps([], [], 0)).toEqual(['apply']);
  expect(steps([], [['net', 'b'.repeat(64)]], 0)).toEqual(['apply']);
  expect(steps([], [['net', HASH]], 0)).toEqual(['reapply']);
  const mine = { manifestHash: HASH, appliedMs: 1000 };
  expect(steps([['net', mine]], [['net', HASH]], 1000 + REPAIR_MS - 1)).toEqual([]);
  expect(steps([['net', mine]], [['net', HASH]], 1000 + REPAIR_MS)).toEqual(['reapply']);
});
