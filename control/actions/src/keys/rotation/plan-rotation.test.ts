import type { Keyset } from '@kopsctl/pki/keyset.ts';
import { expect, test } from 'vitest';
import { needsRightTime, planRotation, type Rotation, type RotationPhase } from './plan-rotation.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2030, 0, 1);
const keysets: readonly Keyset[] = ['service-account', 'kubernetes-ca'].map((name) => ({
  name,
  primaryId: '2',
  items: ['1', '2'].map((id) => ({ id, certificatePem: `c${id}`, privateKeyPem: `k${id}` })),
}));
const at = (phase: RotationPhase, sinceMs: number): Rotation => ({
  phase,
  sinceMs,
  keysets: Object.fromEntries(keysets.map(({ name }) => [name, { from: '1', to: '2' }])),
});
const facts = { keysets, machinesBehind: [] };

test.each([
  ['a minute', 1, 'wait'],
  ['an hour', 60, 'wait'],
  ['sixty-one minutes', 61, 'advance'],
])('old tokens are trusted until new ones have been made for more than an hour: after %s', (_how, minutes, action) => {
  const rotation = at('refresh-tokens', NOW_MS - minutes * MINUTE_MS);
  expect(planRotation(rotation, facts, NOW_MS).action).toBe(action);
});

test('where the wait seems to have begun in the future, it begins again, and ends', () => {
  const ahead = at('refresh-tokens', NOW_MS + 365 * 24 * 60 * MINUTE_MS);
  const again = planRotation(ahead, facts, NOW_MS);
  expect(again).toEqual({ action: 'advance', rotation: { ...ahead, sinceMs: NOW_MS } });
  const rotation = at('refresh-tokens', NOW_MS);
  expect(planRotation(rotation, facts, NOW_MS)).toEqual({ action: 'wait', untilMs: NOW_MS + 61 * MINUTE_MS });
  expect(planRotation(rotation, facts, NOW_MS + 61 * MINUTE_MS)).toMatchObject({ rotation: { phase: 'distrust' } });
});

test('the time has to be right where it decides about tokens, and nobody is asked for it while machines are rolled', () => {
  expect(needsRightTime(at('roll-signing', NOW_MS), { ...facts, machinesBehind: ['nodes-1'] })).toBe(false);
  expect(needsRightTime(at('roll-signing', NOW_MS), facts)).toBe(true);
  expect(needsRightTime(at('refresh-tokens', NOW_MS), facts)).toBe(true);
  expect(needsRightTime(at('promote', NOW_MS), facts)).toBe(false);
  const others = { ...at('refresh-tokens', NOW_MS), keysets: { 'kubernetes-ca': { from: '1', to: '2' } } };
  expect(needsRightTime(others, facts)).toBe(false);
  expect(planRotation(others, facts, NOW_MS)).toMatchObject({ rotation: { phase: 'distrust' } });
});
