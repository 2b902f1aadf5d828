import { Fields } from './fields.ts';
import { NODE_STATES, TYPE, type Message, type NodeBelief, type PushPull } from './message.ts';
import { PackReader } from './pack-reader.ts';
import { Refusal } from './refusal.ts';

/** The payload of an ack is small: serf's coordinates take about 150 bytes. */
const MAX_ACK_PAYLOAD_BYTES = 4096;
/** The text of an error goes into one log line. */
const MAX_ERROR_BYTES = 4096;
/** memberlist maxPushStateBytes. */
const MAX_USER_STATE_BYTES = 20 * 1024 * 1024;
/** Far more than any cluster has; the message size limits the list as well. */
const MAX_NODES = 100_000;
/** The shortest encoding of a node: seven field names and seven values. */
const MIN_NODE_BYTES = 8;

/** Decodes one message without its outer layers. Throws Refusal. */
export function decodeMessage(bytes: Uint8Array): Message {
  const type = bytes[0];
  if (type === undefined) throw new Refusal('truncated', 'the message is empty');
  if (type === TYPE.user) return { kind: 'user', payload: bytes.subarray(1) };
  const fields = (): Fields => new Fields(new PackReader(bytes, 1).map());
  switch (type) {
    case TYPE.ping: {
      const read = fields();
      const source = read.source();
      const ping = { kind: 'ping', seqNo: read.uint('SeqNo'), node: read.text('Node') } as const;
      return source === undefined ? ping : { ...ping, source };
    }
    case TYPE.indirectPing: {
      const read = fields();
      const source = read.source();
      const ping = {
        kind: 'indirectPing',
        seqNo: read.uint('SeqNo'),
        address: read.address('Target'),
        port: read.port('Port'),
        node: read.text('Node'),
        nack: read.bool('Nack'),
      } as const;
      return source === undefined ? ping : { ...ping, source };
    }
    case TYPE.ack: {
      const read = fields();
      return { kind: 'ack', seqNo: read.uint('SeqNo'), payload: read.bytes('Payload', MAX_ACK_PAYLOAD_BYTES) };
    }
    case TYPE.nack:
      return { kind: 'nack', seqNo: fields().uint('SeqNo') };
    case TYPE.suspect:
    case TYPE.dead: {
      const read = fields();
      const accusation = { incarnation: read.uint('Incarnation'), node: read.name('Node'), from: read.text('From') };
      return { kind: type === TYPE.suspect ? 'suspect' : 'dead', ...accusation };
    }
    case TYPE.alive: {
      const read = fields();
      return {
        kind: 'alive',
        incarnation: read.uint('Incarnation'),
        node: read.name('Node'),
        address: read.address('Addr'),
        port: read.port('Port'),
        meta: read.meta(),
        versions: read.versions(),
      };
    }
    case TYPE.err:
      return { kind: 'err', error: fields().text('Error', MAX_ERROR_BYTES) };
    default:
      throw new Refusal('unknown-type', `message type ${type} is unknown`);
  }
}

/** Decodes a whole state from a stream. Throws Refusal. */
export function decodePushPull(bytes: Uint8Array): PushPull {
  if (bytes[0] !== TYPE.pushPull) throw new Refusal('unknown-type', `message type ${bytes[0]} is not push/pull`);
  const reader = new PackReader(bytes, 1);
  const header = new Fields(reader.map());
  const count = header.uint('Nodes', MAX_NODES);
  const userBytes = header.uint('UserStateLen', MAX_USER_STATE_BYTES);
  if (count * MIN_NODE_BYTES + userBytes > bytes.length - reader.offset) {
    throw new Refusal(
      'truncated',
      `${count} nodes and ${userBytes} bytes of user state are announced, but the message is shorter`,
    );
  }
  const nodes = Array.from({ length: count }, () => decodeBelief(new Fields(reader.map())));
  if (userBytes > bytes.length - reader.offset) throw new Refusal('truncated', 'the user state is truncated');
  const userState = bytes.subarray(reader.offset, reader.offset + userBytes);
  return { kind: 'pushPull', join: header.bool('Join'), nodes, userState };
}

/** Decodes a user message from a stream. Throws Refusal. */
export function decodeStreamUser(bytes: Uint8Array): Uint8Array {
  const reader = new PackReader(bytes, 1);
  const length = new Fields(reader.map()).uint('UserMsgLen', MAX_USER_STATE_BYTES);
  if (length > bytes.length - reader.offset) throw new Refusal('truncated', 'the user message is truncated');
  return bytes.subarray(reader.offset, reader.offset + length);
}

function decodeBelief(read: Fields): NodeBelief {
  const state = NODE_STATES[read.uint('State')];
  if (state === undefined) throw new Refusal('malformed', 'the state of a node is unknown');
  return {
    name: read.name('Name'),
    address: read.address('Addr'),
    port: read.port('Port'),
    meta: read.meta(),
    incarnation: read.uint('Incarnation'),
    state,
    versions: read.versions(),
  };
}
