import { expect, test } from 'vitest';
import { Made } from './made.ts';

test('a resource whose request got no answer may turn up for a while, and then no more', () => {
  let nowMs = 1000;
  const made = new Made(() => nowMs, 500);
  made.doubt('aws/Vpc/a');
  expect(made.isDoubtful('aws/Vpc/a')).toBe(true);
  expect(made.isDoubtful('aws/Vpc/b')).toBe(false);
  nowMs = 1500;
  expect(made.isDoubtful('aws/Vpc/a')).toBe(false);
});

test('a resource that was made is known by its id, and in doubt no longer', () => {
  const made = new Made(() => 0, 500);
  made.doubt('aws/Vpc/a');
  made.remember('aws/Vpc/a', 'vpc-1');
  expect([made.idOf('aws/Vpc/a'), made.isDoubtful('aws/Vpc/a')]).toEqual(['vpc-1', false]);
});
