import { expect, test } from 'vitest';
import { Made } from './made.ts';

test('a resource whose request got no response may still appear, but only for a limited time', () => {
  let nowMs = 1000;
  const made = new Made(() => nowMs, 500);
  made.doubt('aws/Vpc/a');
  expect(made.isDoubtful('aws/Vpc/a')).toBe(true);
  expect(made.isDoubtful('aws/Vpc/b')).toBe(false);
  nowMs = 1500;
  expect(made.isDoubtful('aws/Vpc/a')).toBe(false);
});

test('a created resource is known by its id and no longer in doubt', () => {
  const made = new Made(() => 0, 500);
  made.doubt('aws/Vpc/a');
  made.remember('aws/Vpc/a', 'vpc-1');
  expect([made.idOf('aws/Vpc/a'), made.isDoubtful('aws/Vpc/a')]).toEqual(['vpc-1', false]);
});
