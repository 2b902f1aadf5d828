import * as fc from 'fast-check';
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
    warning: '1000 machines do not have the next key yet, among them m0, m1, m2, m3, m4',
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

const MINUTE_MS = 60_000;
const MARK_MS = START_MS + 24 * HOUR_MS;
const revocations = (...nodes: readonly string[]) => ({ nodes: new Set(nodes), lastMs: MARK_MS });
const THIRD = Buffer.alloc(32, 3);

test('the key of a revoked machine is changed, however little it was used', () => {
  const plan = (nowMs: number) => planGossipKeys([old], ring(3, 1, old), NEW, nowMs, revocations('m1'));
  // A key that is made while clocks may mislead would not count as newer than the mark.
  expect(plan(MARK_MS + 4 * MINUTE_MS)).toEqual({ action: 'wait' });
  expect(keysOf(plan(MARK_MS + 6 * MINUTE_MS)).map(({ key }) => key)).toEqual([OLD, NEW]);
});

test('a revoked machine holds no change of keys up', () => {
  const introduced = [old, { key: NEW, sinceMs: MARK_MS + 6 * MINUTE_MS }];
  const thief = { name: 'thief', keys: heldKeys(heldKeysMeta([old])) };
  const others = ring(3, 1, ...introduced);
  const use = { ...others, members: [...others.members, thief] };
  expect(planGossipKeys(introduced, use, THIRD, MARK_MS + 12 * MINUTE_MS, revocations('thief'))).toEqual({
    action: 'promote',
    keys: [{ key: NEW, sinceMs: MARK_MS + 12 * MINUTE_MS }, old],
  });
});

test('nor does one that it makes up, for longer than machines take to get the key', () => {
  const introduced = [old, { key: NEW, sinceMs: MARK_MS + 6 * MINUTE_MS }];
  const use = ring(3, 1, old);
  const plan = (minutes: number) =>
    planGossipKeys(introduced, use, THIRD, MARK_MS + minutes * MINUTE_MS, revocations('thief'));
  expect(plan(20)).toEqual({ action: 'wait' });
  expect(plan(22)).toMatchObject({ action: 'promote', without: ['m0', 'm1', 'm2'] });
});

test('a key that a revoked machine may have got meanwhile is replaced before it is used', () => {
  const keys = [old, { key: NEW, sinceMs: MARK_MS - MINUTE_MS }];
  const step = planGossipKeys(keys, ring(3, 1, ...keys), THIRD, MARK_MS + 6 * MINUTE_MS, revocations('thief'));
  expect(keysOf(step)).toEqual([old, { key: THIRD, sinceMs: MARK_MS + 6 * MINUTE_MS }]);
});

test('a mark that is older than the key changes nothing', () => {
  const young = { key: NEW, sinceMs: MARK_MS + HOUR_MS };
  expect(planGossipKeys([young], ring(3, 1, young), THIRD, MARK_MS + 48 * HOUR_MS, revocations('thief'))).toEqual({
    action: 'wait',
  });
});

test('a key without a date may be older than a mark', () => {
  const step = planGossipKeys([{ key: OLD }], ring(3, 1, old), NEW, MARK_MS + HOUR_MS, revocations('thief'));
  expect(step).toEqual({ action: 'date', keys: [{ key: OLD, sinceMs: MARK_MS }] });
});

/** A machine of the ring: it reads the keys again every few minutes. */
interface Machine {
  readonly everyMinutes: number;
  keys: readonly GossipKey[];
}

test('an hour after the last mark no key is left that a revoked machine had, and nobody else was ever cut off', () => {
  const minutes = fc.integer({ min: 0, max: 180 });
  const machines = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
  const lookEvery = fc.integer({ min: 4, max: 6 });
  fc.assert(
    fc.property(
      fc.array(minutes, { minLength: 1, maxLength: 3 }),
      machines,
      lookEvery,
      fc.boolean(),
      fc.boolean(),
      (markMinutes, periods, look, isUsedUp, makesUpMembers) => {
        const marks = markMinutes.map((minute) => START_MS + minute * MINUTE_MS);
        const ofRing: Machine[] = periods.map((everyMinutes) => ({ everyMinutes, keys: [old] }));
        let stored: readonly GossipKey[] = [old];
        let made = 1;
        const known = new Set<Uint8Array>();
        for (let minute = 0; minute <= Math.max(...markMinutes) + 60; minute += 1) {
          const nowMs = START_MS + minute * MINUTE_MS;
          if (marks.includes(nowMs)) for (const key of stored) known.add(key.key);
          for (const machine of ofRing) if (minute % machine.everyMinutes === 0) machine.keys = stored;
          if (minute % look === 0) {
            const members = ofRing.map(({ keys }, index) => ({
              name: `m${index}`,
              keys: heldKeys(heldKeysMeta(keys)),
            }));
            const thief = { name: 'thief', keys: heldKeys(heldKeysMeta([old])) };
            const fake = { name: 'fake', keys: heldKeys(heldKeysMeta([old])) };
            const use: RingUse = {
              messages: isUsedUp ? 2 ** 31 : 1,
              forMs: HOUR_MS,
              members: [...members, thief, ...(makesUpMembers ? [fake] : [])],
            };
            const past = marks.filter((mark) => mark <= nowMs);
            const seen = {
              nodes: new Set(past.length > 0 ? ['thief'] : []),
              lastMs: past.toSorted((a, b) => a - b).at(-1),
            };
            made += 1;
            const step = planGossipKeys(stored, use, Buffer.alloc(32, made), nowMs, seen);
            if (step.action !== 'wait') stored = step.keys;
          }
          const encrypting = new Set(ofRing.flatMap(({ keys: [first] }) => first?.key ?? []));
          const isCutOff = ({ keys: held }: Machine): boolean =>
            [...encrypting].some((one) => !held.some(({ key }) => key === one));
          if (ofRing.some(isCutOff)) throw new Error(`a machine is cut off after ${minute} minutes`);
        }
        expect(stored.filter(({ key }) => known.has(key))).toEqual([]);
      },
    ),
    { numRuns: 100 },
  );
});
