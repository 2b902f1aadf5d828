import { decode } from '@msgpack/msgpack';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { addressBytes, addressText } from './address.ts';
import { decodeMessage, decodePushPull } from './decode-message.ts';
import { encodeMessage, encodePushPull } from './encode-message.ts';
import { MAX_NAME_BYTES, NODE_STATES, TYPE, type Message, type NodeBelief } from './message.ts';
import { PackWriter } from './pack-writer.ts';
import { Refusal, refusing } from './refusal.ts';

const uint32 = fc.integer({ min: 0, max: 0xff_ff_ff_ff });
const port = fc.integer({ min: 0, max: 0xff_ff });
const name = fc
  .string({ minLength: 1, maxLength: 80, unit: 'grapheme' })
  .filter((text) => Buffer.byteLength(text) <= 512);
const address = fc
  .oneof(fc.uint8Array({ minLength: 4, maxLength: 4 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
  .map(addressText);
const meta = fc.uint8Array({ maxLength: 512 });
const byte = fc.integer({ min: 0, max: 255 });
const versions = fc.record({
  protocolMin: byte,
  protocolMax: byte,
  protocol: byte,
  delegateMin: byte,
  delegateMax: byte,
  delegate: byte,
});
const source = fc.option(fc.record({ address, port, node: name }), { nil: undefined });
const withSource = <T extends object>(message: T, from: object | undefined): T =>
  from === undefined ? message : { ...message, source: from };

const message: fc.Arbitrary<Message> = fc.oneof(
  fc
    .tuple(fc.record({ kind: fc.constant('ping' as const), seqNo: uint32, node: name }), source)
    .map(([ping, from]) => withSource(ping, from)),
  fc
    .tuple(
      fc.record({
        kind: fc.constant('indirectPing' as const),
        seqNo: uint32,
        address,
        port,
        node: name,
        nack: fc.boolean(),
      }),
      source,
    )
    .map(([ping, from]) => withSource(ping, from)),
  fc.record({ kind: fc.constant('ack' as const), seqNo: uint32, payload: fc.uint8Array({ maxLength: 300 }) }),
  fc.record({ kind: fc.constant('nack' as const), seqNo: uint32 }),
  fc.record({
    kind: fc.constantFrom('suspect' as const, 'dead' as const),
    incarnation: uint32,
    node: name,
    from: name,
  }),
  fc.record({ kind: fc.constant('alive' as const), incarnation: uint32, node: name, address, port, meta, versions }),
  fc.record({ kind: fc.constant('user' as const), payload: fc.uint8Array({ maxLength: 300 }) }),
  fc.record({ kind: fc.constant('err' as const), error: fc.string({ maxLength: 300 }) }),
);
const belief: fc.Arbitrary<NodeBelief> = fc.record({
  name,
  address,
  port,
  meta,
  incarnation: uint32,
  state: fc.constantFrom(...NODE_STATES),
  versions,
});

/** The value with all byte arrays as plain lists. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

const isReadOrRefused = (result: unknown): boolean => result instanceof Refusal || typeof result === 'object';

describe('messages', () => {
  it('are decoded as they were encoded', () => {
    fc.assert(
      fc.property(message, (sent) => {
        expect(plain(decodeMessage(encodeMessage(sent)))).toEqual(plain(sent));
      }),
    );
  });

  it('are MessagePack with the field names of memberlist and without later types', () => {
    const bytes = encodeMessage({
      kind: 'alive',
      incarnation: 300,
      node: 'a-name-that-is-longer-than-31-bytes.example.com',
      address: '10.0.0.1',
      port: 7946,
      meta: new Uint8Array(40),
      versions: { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 },
    });
    expect(bytes[0]).toBe(4);
    // Go's old codec writes raw16 (0xda); it does not know str8 (0xd9) and bin8 (0xc4).
    expect(Buffer.from(bytes).includes(Buffer.of(0xda, 0, 47))).toBe(true);
    expect(Buffer.from(bytes).includes(Buffer.of(0xda, 0, 40))).toBe(true);
    expect(decode(bytes.subarray(1))).toMatchObject({
      Incarnation: 300,
      Node: 'a-name-that-is-longer-than-31-bytes.example.com',
      Port: 7946,
    });
  });

  it('have zero values for missing and nil fields', () => {
    expect(decodeMessage(Buffer.from('0082a55365714e6f07a44e6f6465c0', 'hex'))).toEqual({
      kind: 'ping',
      seqNo: 7,
      node: '',
    });
  });

  it.each([
    ['a name that is missing', '0380'],
    ['a field of another type', '0082a55365714e6fa16fa44e6f6465c0'],
    ['a list that is longer than the message', '00ddffffffff'],
    ['a map that is longer than the message', '00dfffffffff'],
    ['text that is longer than the message', '00dbffffffff'],
    ['lists within lists', `00${'91'.repeat(10_000)}`],
    // As text, each such byte would become three: the name would be too long for other peers, and another one.
    ['a name that is not UTF-8', '0381a44e6f6465a2ffff'],
    ['nothing', ''],
    ['a type that does not exist', 'ff80'],
  ])('with %s are refused', (_, hex) => {
    expect(refusing(() => decodeMessage(Buffer.from(hex, 'hex')))).toBeInstanceOf(Refusal);
  });

  it('are decoded or refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 14 }), fc.uint8Array({ maxLength: 400 }), (type, rest) => {
        expect(refusing(() => decodeMessage(Uint8Array.of(type, ...rest)))).toSatisfy(isReadOrRefused);
        expect(refusing(() => decodePushPull(Uint8Array.of(6, ...rest)))).toSatisfy(isReadOrRefused);
      }),
      { numRuns: often(2_000, 40_000) },
    );
  });

  it('that were damaged on the way are decoded or refused', () => {
    fc.assert(
      fc.property(message, fc.nat(), byte, fc.nat(), (sent, at, value, cut) => {
        const bytes = Buffer.from(encodeMessage(sent));
        bytes[at % bytes.length] = value;
        const received = bytes.subarray(0, cut % (bytes.length + 1));
        expect(refusing(() => decodeMessage(received))).toSatisfy(isReadOrRefused);
      }),
      { numRuns: often(2_000, 40_000) },
    );
  });
});

describe('whole states', () => {
  it('are decoded as they were encoded', () => {
    fc.assert(
      fc.property(
        fc.array(belief, { maxLength: 20 }),
        fc.boolean(),
        fc.uint8Array({ maxLength: 100 }),
        (nodes, join, userState) => {
          const sent = { kind: 'pushPull', nodes, join, userState } as const;
          expect(plain(decodePushPull(encodePushPull(sent)))).toEqual(plain(sent));
        },
      ),
      { numRuns: often(50, 1_000) },
    );
  });

  it('of nodes whose messages were accepted are accepted by other peers', () => {
    // Names of arbitrary bytes, also of as many as are allowed.
    const nameBytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 20 }),
      fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }).map((text) => Buffer.from(text)),
      byte.map((value) => Buffer.alloc(MAX_NAME_BYTES, value)),
    );
    fc.assert(
      fc.property(nameBytes, (node) => {
        const out = new PackWriter().byte(TYPE.alive).map(2).key('Node').bytes(node);
        const received = refusing(() => decodeMessage(out.key('Addr').bytes(Buffer.alloc(4)).finish()));
        if (received instanceof Refusal || received.kind !== 'alive') return;
        const nodes: NodeBelief[] = [{ ...received, name: received.node, state: 'alive' }];
        const state = encodePushPull({ kind: 'pushPull', nodes, join: true, userState: new Uint8Array() });
        expect(decodePushPull(state).nodes).toMatchObject([{ name: received.node }]);
      }),
      { numRuns: often(500, 10_000) },
    );
  });

  it('that announce more than they contain are refused at once', () => {
    const bytes = Buffer.from(
      encodePushPull({ kind: 'pushPull', nodes: [], join: false, userState: new Uint8Array(2) }),
    );
    expect(refusing(() => decodePushPull(bytes.subarray(0, bytes.length - 1)))).toMatchObject({ reason: 'truncated' });
  });
});

describe('addresses', () => {
  it('have one text for each way of writing them', () => {
    expect(addressText(addressBytes('::ffff:10.0.0.1') ?? new Uint8Array())).toBe('10.0.0.1');
    expect(addressText(addressBytes('fd00:0:0:0:1:0:0:1') ?? new Uint8Array())).toBe('fd00::1:0:0:1');
    expect(addressText(addressBytes('::') ?? new Uint8Array())).toBe('::');
  });

  it.each(['', '10.0.0', '10.0.0.256', '1::2::3', '1:2:3:4:5:6:7', 'fd00::g', 'example.com'])(
    '%s is not an address',
    (text) => {
      expect(addressBytes(text)).toBeUndefined();
    },
  );
});
