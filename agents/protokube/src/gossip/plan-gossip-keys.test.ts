import { expect, test } from 'vitest';
import { type GossipKey, parseKeys, printKeys } from './gossip-keys.ts';
import { fingerprintOf, heldKeys, heldKeysMeta } from './key-holders.ts';
import { type KeysStep, planGossipKeys, type RingUse } from './plan-gossip-keys.ts';

const HOUR_MS = 60 * 60_000;
const START_MS = Date.UTC(2026, 10, 22);
const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);

/** A ring of members that each send as many packets a second, and hold these keys. */
const ring = (members: number, packetsPerSecond: number, ...keys: readonly GossipKey[]): RingUse => ({
  messages: packetsPerSecond * 3600,
  forMs: HOUR_MS,
  members: Array.from({ length: members }, (_, index) => ({ name: `m${index}`, keys: heldKeys(heldKeysMeta(keys)) })),
});
const old = { key: OLD, sinceMs: START_MS };
const keysOf = (step: KeysStep): readonly GossipKey[] => {
  if (step.action === 'wait') throw new Error('nothing is written');
  return step.keys;
};

test('a key that has just been made gets a date, from which its use is counted', () => {
  const step = planGossipKeys([{ key: OLD }], ring(3, 3), NEW, START_MS);
  expect(step).toEqual({ action: 'date', keys: [old] });
});

test.each([
  // 18 packets a second of a thousand peers are 2^32 messages in 66 hours.
  [1000, 18, 16, 'wait'],
  [1000, 18, 17, 'introduce'],
  [5000, 18, 3, 'wait'],
  [5000, 18, 4, 'introduce'],
  [4, 3, 24 * 365 * 2, 'wait'],
])(
  'the key of %i members that send %i packets a second each, after %i hours: %s',
  (members, packets, hours, action) => {
    const step = planGossipKeys([old], ring(members, packets, old), NEW, START_MS + hours * HOUR_MS);
    expect(step.action).toBe(action);
  },
);

test('a machine that has run for minutes does not judge by what it has sent', () => {
  const hasty = { ...ring(1000, 1_000_000, old), forMs: 9 * 60_000 };
  expect(planGossipKeys([old], hasty, NEW, START_MS + 1000 * HOUR_MS)).toEqual({ action: 'wait' });
});

test('a new key decrypts, then encrypts, then is the only one, and no step cuts a member off', () => {
  let nowMs = START_MS + 17 * HOUR_MS;
  let keys = keysOf(planGossipKeys([old], ring(1000, 18, old), NEW, nowMs));
  expect(keys.map(({ key }) => key)).toEqual([OLD, NEW]);
  const introduced = keys;

  nowMs += HOUR_MS;
  const allButOne = { ...ring(1000, 18, ...introduced) };
  const straggler = { name: 'straggler', keys: heldKeys(heldKeysMeta([old])) };
  const late = { ...allButOne, members: [...allButOne.members, straggler] };
  expect(planGossipKeys(introduced, late, NEW, nowMs)).toEqual({ action: 'wait' });
  keys = keysOf(planGossipKeys(introduced, allButOne, NEW, nowMs));
  expect(keys.map(({ key }) => key)).toEqual([NEW, OLD]);
  const promoted = keys;

  nowMs += 2 * HOUR_MS;
  expect(planGossipKeys(promoted, ring(1000, 18, ...introduced), NEW, nowMs)).toEqual({ action: 'wait' });
  expect(planGossipKeys(promoted, ring(1000, 18, ...promoted), NEW, nowMs - 2 * HOUR_MS)).toEqual({ action: 'wait' });
  keys = keysOf(planGossipKeys(promoted, ring(1000, 18, ...promoted), NEW, nowMs));
  expect(keys.map(({ key }) => key)).toEqual([NEW]);

  // The new key has been used since it encrypts.
  expect(planGossipKeys(keys, ring(1000, 18, ...keys), OLD, nowMs + 14 * HOUR_MS)).toEqual({ action: 'wait' });
  expect(planGossipKeys(keys, ring(1000, 18, ...keys), OLD, nowMs + 15 * HOUR_MS).action).toBe('introduce');
});

test('machines that do not get the next key are named before the old one is used up', () => {
  const keys = [old, { key: NEW, sinceMs: START_MS + 17 * HOUR_MS }];
  const stuck = ring(1000, 18, old);
  expect(planGossipKeys(keys, stuck, NEW, START_MS + 33 * HOUR_MS)).toEqual({ action: 'wait' });
  expect(planGossipKeys(keys, stuck, NEW, START_MS + 34 * HOUR_MS)).toMatchObject({
    action: 'wait',
    warning: '1000 machines have not got the next key, among them m0, m1, m2, m3, m4',
  });
});

test('a key that a person adds behind the first is taken as the next one', () => {
  const keys = [old, { key: NEW }];
  expect(planGossipKeys(keys, ring(3, 1, ...keys), OLD, START_MS + 1)).toMatchObject({ action: 'promote' });
});

test('keys are read as they were written, with dates and without', () => {
  const keys = [old, { key: NEW }];
  expect(parseKeys(printKeys(keys), 'file')).toEqual(keys);
  const line = OLD.toString('base64');
  for (const text of ['', 'AAAA\n', `${line} tomorrow\n`, `${line} 2026-11-22T00:00:00.000Z more\n`]) {
    expect(() => parseKeys(text, 'file')).toThrow('cannot gossip with the keys of file');
  }
});

test('members tell which keys they hold, and meta data of others tells nothing', () => {
  expect(heldKeys(heldKeysMeta([old, { key: NEW }]))).toEqual([
    fingerprintOf({ key: OLD }),
    fingerprintOf({ key: NEW }),
  ]);
  expect(heldKeys(Buffer.from('role=web'))).toEqual([]);
  expect(heldKeys(new Uint8Array())).toEqual([]);
});
