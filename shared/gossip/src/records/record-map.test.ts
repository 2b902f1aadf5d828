import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { Refusal } from '../wire/refusal.ts';
import { decodeRecord, decodeRecords, encodeRecord, encodeRecords } from './record-codec.ts';
import { RecordMap, RECORD_SETTINGS } from './record-map.ts';
import type { DnsName, GossipRecord } from './record.ts';

const api = (...addresses: string[]): DnsName => ({ name: 'api.internal.demo.k8s.local', type: 'A', addresses });
const shown = (map: RecordMap, nowMs: number): string[] =>
  map.inForce(nowMs).map(({ owner, name, addresses }) => `${owner} ${name} ${addresses.join(',')}`);

/** Two peers that know each other; `tell` gives all records of the first to the second. */
function pair() {
  const [a, b] = [new RecordMap('a'), new RecordMap('b')];
  a.owner('b', 'live', 0);
  b.owner('a', 'live', 0);
  const tell = (nowMs: number): readonly GossipRecord[] => b.merge(a.all(), nowMs);
  return { a, b, tell };
}

describe('records', () => {
  it('of one name by several owners are all in force', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1')], 0);
    b.publish([api('10.0.0.2')], 0);
    tell(1);
    expect(shown(b, 1)).toEqual(['a api.internal.demo.k8s.local 10.0.0.1', 'b api.internal.demo.k8s.local 10.0.0.2']);
  });

  it('are broadcast once: publishing or receiving one again changes nothing', () => {
    const { a, tell } = pair();
    expect(a.publish([api('10.0.0.1')], 0)).toHaveLength(1);
    expect(a.publish([api('10.0.0.1')], 1)).toEqual([]);
    expect(tell(1)).toHaveLength(1);
    expect(tell(2)).toEqual([]);
  });

  it('change in the order of writing, even if the clock of their owner goes back', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1')], 200_000);
    a.publish([api('10.0.0.9')], 5);
    tell(6);
    expect(shown(b, 6)).toEqual(['a api.internal.demo.k8s.local 10.0.0.9']);
  });

  it('that are deleted do not come back from a peer that was away', () => {
    const { a, b, tell } = pair();
    const [old] = a.publish([api('10.0.0.1')], 0);
    tell(1);
    a.publish([], 2);
    tell(3);
    expect(b.merge(old === undefined ? [] : [old], 4)).toEqual([]);
    expect(shown(b, 4)).toEqual([]);
    expect(b.forget(3 + RECORD_SETTINGS.rememberMs)).toBe(1);
    expect(b.all()).toEqual([]);
  });

  it('are no more than a cluster can have, and those of this peer are always among them', () => {
    const { a, b } = pair();
    const [first] = a.publish([api('10.0.0.1')], 0);
    if (first === undefined) throw new Error('nothing was published');
    const many = Array.from({ length: 5000 }, (_, index) => ({
      ...first,
      name: `n${index}`,
      owner: index % 2 ? 'x' : 'b',
    }));
    expect(b.isFull).toBe(false);
    expect(b.merge([first, ...many], 1)).toHaveLength(4096);
    expect(b.isFull).toBe(true);
    expect(b.merge([{ ...first, name: 'late' }], 1)).toEqual([]);
    expect(b.publish([api('10.0.0.2')], 2)).toHaveLength(1);
    expect(shown(b, 2)).toContain('b api.internal.demo.k8s.local 10.0.0.2');
    a.publish([api('10.0.0.9')], 2);
    expect(b.merge(a.all(), 3)).toHaveLength(1);
  });

  it('of the owners that went last are out of force, however many came and went', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1')], 0);
    for (let index = 0; index < 20_000; index += 1) b.owner(`n${index}`, 'gone', 1);
    tell(1);
    expect(shown(b, 2)).toHaveLength(1);
    b.owner('a', 'gone', 2);
    expect(shown(b, 3)).toEqual([]);
  });

  it('do not depend on machines without records', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1')], 0);
    tell(1);
    expect(b.owner('a', 'missing', 2)).toBe(true);
    expect(b.owner('worker', 'missing', 2)).toBe(false);
  });

  it('of a failed owner stay in force for a while, and are in force again as soon as it is back', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1')], 0);
    tell(1);
    b.owner('a', 'missing', 1000);
    const endMs = 1000 + RECORD_SETTINGS.ownerTtlMs;
    expect(b.nextChangeMs(1001)).toBe(endMs);
    expect(shown(b, endMs - 1)).toHaveLength(1);
    expect(shown(b, endMs)).toEqual([]);
    b.owner('a', 'live', endMs + 1);
    expect(shown(b, endMs + 2)).toHaveLength(1);
  });

  it('of an owner that leaves go out of force at once', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1')], 0);
    tell(1);
    b.owner('a', 'gone', 5);
    expect(shown(b, 5)).toEqual([]);
  });

  it('of a dead owner are forgotten although other peers still hold them', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1')], 0);
    tell(1);
    b.owner('a', 'missing', 1);
    const late = RECORD_SETTINGS.ownerTtlMs + RECORD_SETTINGS.rememberMs + 1;
    const others = b.all();
    expect(b.forget(late)).toBe(1);
    b.merge(others, late + 1);
    expect(shown(b, late + 1)).toEqual([]);
    expect(b.forget(late + 2)).toBe(1);
  });

  it('from before a restart are corrected by their owner, even if its clock is behind', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1'), { name: 'etcd-a.internal', type: 'A', addresses: ['10.0.0.1'] }], 200_000);
    tell(1);
    const again = new RecordMap('a');
    again.publish([api('10.0.0.7')], 10);
    b.merge(again.merge(b.all(), 11), 12);
    expect(shown(b, 13)).toEqual(['a api.internal.demo.k8s.local 10.0.0.7']);
    expect(shown(again, 13)).toEqual(shown(b, 13));
  });
});

describe('stamps', () => {
  const forged = (ms: number, count: number): GossipRecord => ({
    ...api('6.6.6.6'),
    owner: 'a',
    isDeleted: false,
    stamp: {
      ms,
      count,
    },
  });

  it('more than five minutes ahead are refused from anybody', () => {
    const { a, b, tell } = pair();
    a.publish([api('10.0.0.1')], 0);
    tell(1);
    expect(b.merge([forged(300_002, 0)], 1)).toEqual([]);
    expect(a.merge([forged(300_002, 0)], 1)).toEqual([]);
    expect(shown(b, 1)).toEqual(['a api.internal.demo.k8s.local 10.0.0.1']);
  });

  it('can always be followed by a later one, which fits the wire', () => {
    const { a, b } = pair();
    a.publish([api('10.0.0.1')], 0);
    const last = forged(300_001, 2 ** 32 - 1);
    b.merge([last], 1);
    expect(shown(b, 1)).toEqual(['a api.internal.demo.k8s.local 6.6.6.6']);
    const corrected = a.merge([last], 1).map((record) => decodeRecord(encodeRecord(record)));
    for (const record of corrected) {
      if (record === undefined || record instanceof Refusal || 'signature' in record)
        throw new Error('the correction cannot be read');
      expect(b.merge([record], 2)).toHaveLength(1);
    }
    expect(shown(b, 2)).toEqual(['a api.internal.demo.k8s.local 10.0.0.1']);
    const [next] = a.publish([api('10.0.0.2')], 3);
    expect(next?.stamp).toEqual({ ms: 300_002, count: 1 });
  });
});

const peers = ['a', 'b', 'c', 'd'] as const;
const names = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('api.internal', 'kops-controller.internal', 'etcd-a.internal'),
    type: fc.constant('A'),
    addresses: fc.uniqueArray(fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3'), { minLength: 1 }),
  }),
  { selector: ({ name }) => name },
);
const happening = fc.oneof(
  fc.record({ kind: fc.constant('publish' as const), peer: fc.nat({ max: 3 }), names }),
  // An old message of any peer reaches any peer: late, twice or never.
  fc.record({ kind: fc.constant('deliver' as const), peer: fc.nat({ max: 3 }), message: fc.nat() }),
  fc.record({ kind: fc.constant('exchange' as const), peer: fc.nat({ max: 3 }), other: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('restart' as const), peer: fc.nat({ max: 3 }), names }),
);

describe('messages in any order, lost and repeated', () => {
  it('leave all peers with what each owner wrote last', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(happening, fc.integer({ min: -50, max: 50 })), { maxLength: 60 }), (story) => {
        let nowMs = 10_000;
        const start = (name: string): RecordMap => {
          const map = new RecordMap(name);
          for (const peer of peers) map.owner(peer, 'live', nowMs);
          return map;
        };
        const maps = peers.map(start);
        const wanted = new Map<string, readonly DnsName[]>();
        const sent: GossipRecord[] = [];
        const say = (records: readonly GossipRecord[]): void => void sent.push(...records);
        const at = (index: number): RecordMap => maps[index] ?? start('nobody');
        for (const [what, ms] of story) {
          // Clocks may go back.
          nowMs += ms;
          switch (what.kind) {
            case 'restart':
            case 'publish':
              if (what.kind === 'restart') maps[what.peer] = start(peers[what.peer] ?? 'nobody');
              wanted.set(peers[what.peer] ?? 'nobody', what.names);
              say(at(what.peer).publish(what.names, nowMs));
              break;
            case 'deliver': {
              const record = sent[what.message % Math.max(1, sent.length)];
              if (record !== undefined) say(at(what.peer).merge([record], nowMs));
              break;
            }
            case 'exchange':
              say(at(what.peer).merge(at(what.other).all(), nowMs));
              break;
          }
        }
        for (let round = 0; round < 4; round += 1) {
          for (const one of maps) for (const other of maps) one.merge(other.all(), nowMs);
        }
        const expected = [...wanted]
          .flatMap(([owner, list]) => list.map(({ name, addresses }) => `${owner} ${name} ${addresses.join(',')}`))
          .sort();
        for (const map of maps) expect(shown(map, nowMs).sort()).toEqual(expected);
      }),
      { numRuns: often(500, 10_000) },
    );
  });
});

describe('records on the wire', () => {
  const record: GossipRecord = {
    ...api('10.0.0.1', 'fd00::1'),
    owner: 'a',
    stamp: { ms: 1e12, count: 3 },
    isDeleted: false,
  };

  it('are decoded as they were encoded', () => {
    const deleted = { ...record, addresses: [], isDeleted: true };
    expect(decodeRecord(encodeRecord(record))).toEqual(record);
    expect(decodeRecords(encodeRecords({ unsigned: [record, deleted], signed: [] }))).toEqual({
      unsigned: [record, deleted],
      signed: [],
    });
  });

  it('are distinguished from other user messages', () => {
    expect(decodeRecord(Buffer.of(3, 0x81))).toBeUndefined();
    expect(decodeRecords(new Uint8Array())).toBeUndefined();
  });

  it('are decoded or refused, whatever the bytes', () => {
    const isReadOrRefused = (result: unknown): boolean => result instanceof Refusal || typeof result === 'object';
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodeRecord(Uint8Array.of(0x6b, 1, ...bytes))).toSatisfy(isReadOrRefused);
        expect(decodeRecord(Uint8Array.of(0x6b, 2, ...bytes))).toSatisfy(isReadOrRefused);
        expect(decodeRecords(Uint8Array.of(0x6b, 1, ...bytes))).toSatisfy(isReadOrRefused);
      }),
      { numRuns: often(1_000, 20_000) },
    );
  });
});
