import { expect, test } from 'vitest';
import { nodesToDelete, type ObservedPolicy, planPolicy } from './plan-revocation.ts';
import { conditionFor } from './revocation-policy.ts';

const NOW_MS = Date.parse('2026-01-05T12:00:00Z');
const NONE: ObservedPolicy = { condition: undefined, isBound: false };
const recent = { node: 'nodes-1', revokedAt: '2026-01-05T11:00:00Z' };
const other = { node: 'ip-10-0-0-7.ec2.internal', revokedAt: '2026-01-05T11:00:00Z' };
const old = { node: 'nodes-9', revokedAt: '2026-01-02T10:59:00Z' };

test('where nobody is revoked there is no policy', () => {
  expect(planPolicy([], NONE, NOW_MS)).toEqual({ action: 'none' });
});

test('the policy has the names of revoked nodes in one order, as long as their certificates can be valid', () => {
  expect(planPolicy([recent, old, other], NONE, NOW_MS)).toEqual({
    action: 'deny',
    nodes: ['ip-10-0-0-7.ec2.internal', 'nodes-1'],
  });
  expect(conditionFor(['a', 'b.c'])).toBe('request.userInfo.username in ["system:node:a", "system:node:b.c"]');
});

test('a policy that is as wanted is left alone, and one that lacks a name or its binding is mended', () => {
  const wanted = { condition: conditionFor(['nodes-1']), isBound: true };
  expect(planPolicy([recent], wanted, NOW_MS)).toEqual({ action: 'none' });
  expect(planPolicy([recent], { ...wanted, isBound: false }, NOW_MS)).toMatchObject({ action: 'deny' });
  expect(planPolicy([recent, other], wanted, NOW_MS)).toMatchObject({ action: 'deny' });
});

test('the policy goes with the last certificate, and its binding too where only that is left', () => {
  expect(planPolicy([old], { condition: conditionFor(['nodes-9']), isBound: true }, NOW_MS)).toEqual({
    action: 'remove',
  });
  expect(planPolicy([], { condition: undefined, isBound: true }, NOW_MS)).toEqual({ action: 'remove' });
});

test('what no Node can be called does not come into the policy', () => {
  const hostile = { ...recent, node: 'x"] || true || request.name in ["' };
  expect(planPolicy([hostile], NONE, NOW_MS)).toEqual({ action: 'none' });
});

test('the Node of a revoked machine is deleted whenever it is there, however long ago that was', () => {
  expect(nodesToDelete([recent, old], ['control-plane-a', 'nodes-1', 'nodes-2'])).toEqual(['nodes-1']);
  expect(nodesToDelete([old], ['nodes-9'])).toEqual(['nodes-9']);
});
