import { beforeEach, expect, it } from 'vitest';
import { type UnprovenStream, UnprovenStreams } from './unproven-streams.ts';

const MIB = 1024 * 1024;
let streams: UnprovenStreams;
let closed: string[];

beforeEach(() => {
  streams = new UnprovenStreams();
  closed = [];
});

const stream = (address: string, name: string, sinceMs = 0): UnprovenStream => ({
  address,
  sinceMs,
  bytes: 0,
  close: () => void closed.push(name),
});

it('the ninth stream of an address takes the place of its first', () => {
  for (let index = 1; index <= 9; index += 1) expect(streams.enter(stream('a', `a${index}`))).toBe(true);
  expect(streams.enter(stream('b', 'b'))).toBe(true);
  expect(closed).toEqual(['a1']);
});

it('a full server closes a stream of the address that has most', () => {
  for (let index = 0; index < 126; index += 1) streams.enter(stream(`peer${index}`, `peer${index}`));
  for (const name of ['a1', 'a2']) streams.enter(stream('a', name));
  expect(streams.enter(stream('b', 'b'))).toBe(true);
  expect(closed).toEqual(['a1']);
});

it('many peers that come at once do not close each other; strangers that stay give way', () => {
  for (let index = 0; index < 128; index += 1) streams.enter(stream(`peer${index}`, `peer${index}`));
  expect(streams.enter(stream('b', 'b', 900))).toBe(false);
  expect(streams.enter(stream('c', 'c', 1000))).toBe(true);
  expect(closed).toEqual(['peer0']);
});

it('bytes are taken back from the address that holds most of them, the oldest stream first', () => {
  const all = ['a1', 'a2', 'a3', 'peer'].map((name) => stream(name.slice(0, 1), name));
  const [a1, a2, a3, peer] = all;
  for (const one of all) streams.enter(one);
  if (a1 === undefined || a2 === undefined || a3 === undefined || peer === undefined) throw new Error('four were made');
  streams.grew(a2, 6 * MIB);
  streams.grew(a3, 6 * MIB);
  streams.grew(peer, 4 * MIB);
  expect(closed).toEqual([]);
  streams.grew(peer, 1);
  expect(closed).toEqual(['a2']);
  // A closed stream may still report bytes.
  streams.grew(a2, 100 * MIB);
  expect(closed).toEqual(['a2']);
});

it('streams that proved the key no longer count', () => {
  for (let index = 0; index < 1000; index += 1) {
    const one = stream('a', 'a');
    streams.enter(one);
    streams.grew(one, MIB);
    streams.leave(one);
    streams.leave(one);
  }
  expect(closed).toEqual([]);
});
