import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import type { Versions } from '../wire/message.ts';
import { BroadcastQueue } from './broadcast-queue.ts';
import { Deadlines } from './deadlines.ts';
import { authorTransmitLimit, LAN, pushPullIntervalMs, transmitLimit } from './settings.ts';
import { suspicionTerms, suspicionTimeoutMs } from './suspicion.ts';
import { createSwim, type Input } from './swim.ts';
import { incompatibility } from './versions.ts';

describe('the limits of memberlist', () => {
  it.each([
    [1, 4],
    [9, 4],
    [10, 8],
    [99, 8],
    [5000, 16],
  ])('with %i nodes, a broadcast is sent %i times', (nodes, times) => {
    expect(transmitLimit(LAN.retransmitMult, nodes)).toBe(times);
  });

  it.each([
    [3, 4],
    [20, 38],
    [64, 126],
    [65, 8],
  ])('with %i nodes, the author of a broadcast sends it %i times', (nodes, times) => {
    expect(authorTransmitLimit(LAN.retransmitMult, nodes)).toBe(times);
  });

  it.each([
    [32, 30_000],
    [33, 60_000],
    [64, 60_000],
    [65, 90_000],
    [5000, 270_000],
  ])('with %i nodes, states are exchanged every %i ms', (nodes, ms) => {
    expect(pushPullIntervalMs(LAN.pushPullIntervalMs, nodes)).toBe(ms);
  });

  it.each([
    // No third peer could confirm, so the suspicion is as short as possible.
    [3, 0, 4000],
    [4, 0, 24_000],
    [4, 1, 11_381],
    [4, 2, 4000],
    [100, 0, 48_000],
    [100, 2, 8000],
  ])('with %i nodes, a suspicion with %i confirmations lasts %i ms', (nodes, confirmations, ms) => {
    expect(suspicionTimeoutMs(suspicionTerms(LAN, nodes), confirmations)).toBe(ms);
  });
});

describe('the broadcast queue', () => {
  const dead = (node: string): { kind: 'dead'; node: string; incarnation: number; from: string } => ({
    kind: 'dead',
    node,
    incarnation: 1,
    from: 'x',
  });
  const to = { address: '10.0.0.1', port: 7946 };
  const room = { to, bytes: 1000, messages: 255, transmitLimit: 3, authorTransmitLimit: 19 };
  const about = (queue: BroadcastQueue): unknown[] =>
    queue.take(room).map(({ message }) => (message.kind === 'dead' ? message.node : message.kind));

  it('returns the messages sent least often first, and drops those sent often enough', () => {
    const queue = new BroadcastQueue(1000);
    queue.add({ about: 'a', message: dead('a') });
    expect(about(queue)).toEqual(['a']);
    queue.add({ about: 'b', message: dead('b') });
    expect(about(queue)).toEqual(['b', 'a']);
    expect(about(queue)).toEqual(['b', 'a']);
    expect(about(queue)).toEqual(['b']);
    expect(queue.size).toBe(0);
  });

  it('replaces an earlier message about the same member', () => {
    const queue = new BroadcastQueue(1000);
    queue.add({ about: 'a', message: dead('old') });
    queue.add({ about: 'a', message: dead('new') });
    expect(about(queue)).toEqual(['new']);
  });

  it('holds no more than some thousand messages, and drops those sent most often', () => {
    const queue = new BroadcastQueue(1000);
    queue.add({ about: 'sent', message: dead('sent') });
    expect(about(queue)).toEqual(['sent']);
    for (let index = 0; index < 4096; index += 1) queue.add({ about: `${index}`, message: dead(`${index}`) });
    expect(queue.size).toBe(4096);
    expect(queue.has('sent')).toBe(false);
    queue.add({ about: 'last', message: dead('last') });
    expect(queue.size).toBe(4096);
    expect(queue.has('last')).toBe(true);
  });

  it('does not send a message to its source', () => {
    const queue = new BroadcastQueue(1000);
    queue.add({ about: 'a', message: dead('a'), knownTo: [to] });
    expect(about(queue)).toEqual([]);
    expect(queue.take({ ...room, to: { ...to, port: 1 } })).toHaveLength(1);
  });

  it('returns own messages as often as an author sends them', () => {
    const queue = new BroadcastQueue(1000);
    queue.add({ about: 'a', message: dead('a'), isOwn: true });
    let times = 0;
    while (queue.take(room).length > 0) times += 1;
    expect(times).toBe(19);
  });

  it('never returns more than the packet has room for', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 500 }), { maxLength: 60 }), fc.nat({ max: 1400 }), (sizes, bytes) => {
        const queue = new BroadcastQueue(1000);
        for (const [index, size] of sizes.entries()) {
          queue.add({ about: `${index}`, message: { kind: 'user', payload: new Uint8Array(size) } });
        }
        const taken = queue.take({ to, bytes, messages: 20, transmitLimit: 3, authorTransmitLimit: 19 });
        expect(taken.length).toBeLessThanOrEqual(20);
        expect(taken.reduce((sum, { bytes }) => sum + bytes.length + 2, 0)).toBeLessThanOrEqual(bytes);
      }),
    );
  });
});

describe('deadlines', () => {
  it('come in the order of time, without cancelled ones', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 100 }), fc.boolean())), (wanted) => {
        const deadlines = new Deadlines<number>();
        for (const [atMs, isCancelled] of wanted) deadlines.add(atMs, atMs).isCancelled = isCancelled;
        const taken: number[] = [];
        for (let next = deadlines.takeDue(100); next !== undefined; next = deadlines.takeDue(100)) taken.push(next);
        expect(taken).toEqual(
          wanted.flatMap(([atMs, isCancelled]) => (isCancelled ? [] : [atMs])).toSorted((a, b) => a - b),
        );
      }),
    );
  });
});

const versions = (delegateMin: number, delegateMax: number, delegate: number): Versions => ({
  protocolMin: 1,
  protocolMax: 5,
  protocol: 2,
  delegateMin,
  delegateMax,
  delegate,
});

describe('versions', () => {
  it('must be supported by every living node', () => {
    const serf = { name: 'serf', state: 'alive', versions: versions(2, 5, 5) } as const;
    const plain = { name: 'plain', state: 'alive', versions: versions(0, 0, 0) } as const;
    expect(incompatibility([serf, serf])).toBeUndefined();
    expect(incompatibility([plain, plain])).toBeUndefined();
    expect(incompatibility([plain, serf])).toMatch('delegate protocol');
    expect(incompatibility([{ ...plain, state: 'left' }, serf])).toBeUndefined();
  });
});

describe('a peer that receives arbitrary messages', () => {
  const name = fc.constantFrom('self', 'a', 'b', 'c');
  const incarnation = fc.nat({ max: 5 });
  const address = fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.9');
  const port = fc.constantFrom(0, 7946);
  const message = fc.oneof(
    fc.record({ kind: fc.constantFrom('suspect' as const, 'dead' as const), incarnation, node: name, from: name }),
    fc.record({
      kind: fc.constant('alive' as const),
      incarnation,
      node: name,
      address,
      port,
      meta: fc.uint8Array({ maxLength: 4 }),
      versions: fc.constantFrom(versions(0, 0, 0), versions(2, 5, 5)),
    }),
    fc.record({ kind: fc.constantFrom('nack' as const), seqNo: incarnation }),
    fc.record({ kind: fc.constantFrom('ack' as const), seqNo: incarnation, payload: fc.uint8Array({ maxLength: 2 }) }),
    fc.record({ kind: fc.constant('ping' as const), seqNo: incarnation, node: name }),
    fc.record({
      kind: fc.constant('indirectPing' as const),
      seqNo: incarnation,
      node: name,
      address,
      port,
      nack: fc.boolean(),
    }),
  );
  const input: fc.Arbitrary<Input> = fc.oneof(
    fc.array(message, { maxLength: 5 }).map((messages): Input => {
      return { kind: 'packet', from: { address: '10.0.0.1', port: 7946 }, messages };
    }),
    fc.constant<Input>({ kind: 'tick' }),
    incarnation.map((seqNo): Input => ({ kind: 'streamAck', seqNo })),
  );

  it('stays alive in its own view, lists each member once and only raises its incarnation', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(input, fc.nat({ max: 9000 })), { maxLength: 60 }), (story) => {
        const self = { name: 'self', address: '10.0.0.9', port: 7946, meta: new Uint8Array(), label: '' };
        const swim = createSwim({ ...self, versions: versions(0, 0, 0), settings: LAN }, seededRandom(1), 0);
        let nowMs = 0;
        let incarnation = 0;
        for (const [what, ms] of story) {
          nowMs += ms;
          swim.step(what, nowMs);
          swim.step({ kind: 'tick' }, nowMs);
          const own = swim.member('self');
          expect(own?.state).toBe('alive');
          expect(own?.incarnation).toBeGreaterThanOrEqual(incarnation);
          incarnation = own?.incarnation ?? 0;
          const names = swim.members().map((member) => member.name);
          expect(new Set(names).size).toBe(names.length);
          expect(swim.nodes).toBe(names.length);
        }
      }),
      { numRuns: often(500, 10_000) },
    );
  });
});
