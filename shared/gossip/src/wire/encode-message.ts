import { addressBytes } from './address.ts';
import {
  NODE_STATES,
  TYPE,
  type Message,
  type NodeBelief,
  type PushPull,
  type Source,
  type Versions,
} from './message.ts';
import { PackWriter } from './pack-writer.ts';

const NONE = new Uint8Array();

/** Encodes a message as memberlist does: the type, then a map keyed by Go field names. */
export function encodeMessage(message: Message): Uint8Array {
  const out = new PackWriter();
  switch (message.kind) {
    case 'ping':
      out.byte(TYPE.ping).map(message.source === undefined ? 2 : 5);
      out.key('SeqNo').uint(message.seqNo).key('Node').text(message.node);
      source(out, message.source);
      break;
    case 'indirectPing':
      out.byte(TYPE.indirectPing).map(message.source === undefined ? 5 : 8);
      out.key('SeqNo').uint(message.seqNo).key('Target').bytes(wireAddress(message.address));
      out.key('Port').uint(message.port).key('Node').text(message.node).key('Nack').bool(message.nack);
      source(out, message.source);
      break;
    case 'ack':
      out.byte(TYPE.ack).map(2).key('SeqNo').uint(message.seqNo).key('Payload').bytes(message.payload);
      break;
    case 'nack':
      out.byte(TYPE.nack).map(1).key('SeqNo').uint(message.seqNo);
      break;
    case 'suspect':
    case 'dead':
      out.byte(TYPE[message.kind]).map(3).key('Incarnation').uint(message.incarnation);
      out.key('Node').text(message.node).key('From').text(message.from);
      break;
    case 'alive':
      out.byte(TYPE.alive).map(6).key('Incarnation').uint(message.incarnation).key('Node').text(message.node);
      out.key('Addr').bytes(wireAddress(message.address)).key('Port').uint(message.port);
      out.key('Meta').bytes(message.meta).key('Vsn').bytes(wireVersions(message.versions));
      break;
    case 'user':
      out.byte(TYPE.user).append(message.payload);
      break;
    case 'err':
      out.byte(TYPE.err).map(1).key('Error').text(message.error);
      break;
  }
  return out.finish();
}

/** Encodes a whole state for a stream. */
export function encodePushPull(message: PushPull): Uint8Array {
  // About the size of a node with a name of 20 characters.
  const out = new PackWriter(64 + message.nodes.length * 128 + message.userState.length);
  out.byte(TYPE.pushPull).map(3).key('Nodes').uint(message.nodes.length);
  out.key('UserStateLen').uint(message.userState.length).key('Join').bool(message.join);
  for (const node of message.nodes) belief(out, node);
  return out.append(message.userState).finish();
}

function belief(out: PackWriter, node: NodeBelief): void {
  out.map(7).key('Name').text(node.name).key('Addr').bytes(wireAddress(node.address)).key('Port').uint(node.port);
  out.key('Meta').bytes(node.meta).key('Incarnation').uint(node.incarnation);
  out.key('State').uint(NODE_STATES.indexOf(node.state)).key('Vsn').bytes(wireVersions(node.versions));
}

function source(out: PackWriter, from: Source | undefined): void {
  if (from === undefined) return;
  out.key('SourceAddr').bytes(wireAddress(from.address)).key('SourcePort').uint(from.port);
  out.key('SourceNode').text(from.node);
}

/** An invalid address is sent empty, and the receiver refuses the message. */
function wireAddress(text: string): Uint8Array {
  return addressBytes(text) ?? NONE;
}

function wireVersions(of: Versions): Uint8Array {
  return Uint8Array.of(of.protocolMin, of.protocolMax, of.protocol, of.delegateMin, of.delegateMax, of.delegate);
}
