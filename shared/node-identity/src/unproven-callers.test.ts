import { expect, test } from 'vitest';
import { UnprovenCallers } from './unproven-callers.ts';

let closed: string[];
const callers = () => {
  closed = [];
  const all = new UnprovenCallers();
  return (address: string, name = address) => {
    const caller = { address, close: () => void closed.push(name) };
    all.enter(caller);
    return () => all.leave(caller);
  };
};

test('a third connection of an address ends its first', () => {
  const enter = callers();
  for (const name of ['a', 'b', 'c']) enter('10.0.0.1', name);
  expect(closed).toEqual(['a']);
});

test('an authority has room, however many addresses strangers have', () => {
  const enter = callers();
  for (let host = 0; host < 200; host += 1) enter(`10.0.${host}.1`);
  enter('authority');
  expect(closed).not.toContain('authority');
  expect(closed).toHaveLength(200 + 1 - 64);
});

test('a caller who has left takes no room', () => {
  const enter = callers();
  for (let call = 0; call < 100; call += 1) enter(`10.0.${call}.1`)();
  expect(closed).toEqual([]);
});
