import { hearSuspect } from './hear.ts';
import type { Ack, IndirectPing, Nack, Ping } from '../wire/message.ts';
import type { Endpoint } from './endpoint.ts';
import type { Peer } from './peer.ts';

/** Peers answer pings by TCP from this protocol version on (memberlist state.go). */
const STREAM_PING_PROTOCOL = 3;
/** Peers send a nack for a failed indirect probe from this protocol version on. */
const NACK_PROTOCOL = 4;
/** The limit of indirect probes in progress: each lasts half a second, and a thousand peers ask for a few. */
const MAX_RELAYS = 1024;

/** How long to wait for indirect acks after the host refused the TCP connection. */
const REFUSED_GRACE_MS = 100;

/** Starts the next probe. While a probe is in progress, the next one starts as soon as it ends. */
export function probeDue(peer: Peer): void {
  if (peer.probe !== undefined) peer.isProbeDue = true;
  else startProbe(peer);
}

function startProbe(peer: Peer): void {
  peer.isProbeDue = false;
  const member = peer.roster.nextToProbe();
  if (member === undefined) return;
  const { settings, nowMs } = peer;
  const seqNo = peer.nextSeqNo();
  peer.probe = { seqNo, member, nacksExpected: 0, nacks: 0, isRefused: false };
  peer.deadlines.add(nowMs + settings.probeTimeoutMs, { kind: 'probeTimeout', seqNo });
  peer.deadlines.add(nowMs + peer.awareness.scaled(settings.probeIntervalMs), { kind: 'probeEnd', seqNo });
  const { address, port, name: node } = peer.self;
  const ping: Ping = { kind: 'ping', seqNo, node: member.name, source: { address, port, node } };
  if (member.state !== 'suspect') {
    peer.send(member, ping);
  } else {
    // Tell a suspected member at once, so that it can refute.
    const { name, incarnation } = member;
    peer.send(member, ping, { kind: 'suspect', node: name, incarnation, from: node });
  }
}

/** The direct probe got no ack in time: asks other members for an indirect probe, and tries TCP. */
export function probeTimeout(peer: Peer, seqNo: number): void {
  const { probe, self } = peer;
  if (probe?.seqNo !== seqNo) return;
  const { address, port, name: node, versions } = probe.member;
  const source = { address: self.address, port: self.port, node: self.name };
  for (const helper of peer.roster.pickAlive(peer.settings.indirectChecks, probe.member)) {
    const nack = helper.versions.protocolMax >= NACK_PROTOCOL;
    if (nack) probe.nacksExpected += 1;
    peer.send(helper, { kind: 'indirectPing', seqNo, address, port, node, nack, source });
  }
  if (versions.protocolMax < STREAM_PING_PROTOCOL) return;
  const left = peer.awareness.scaled(peer.settings.probeIntervalMs) - peer.settings.probeTimeoutMs;
  peer.pingByStream({ address, port }, node, seqNo, left);
}

/**
 * No probe was acked: suspects the member. If the nacks of the helpers are missing too, this peer itself may be the
 * slow one, and its health score gets worse.
 */
export function probeEnd(peer: Peer, seqNo: number): void {
  const { probe } = peer;
  if (probe?.seqNo !== seqNo) return;
  // A refused connection is an answer, so this peer's own health is not in doubt.
  const nacksMissing = probe.nacksExpected > 0 ? Math.max(0, probe.nacksExpected - probe.nacks) : 1;
  peer.awareness.add(probe.isRefused ? 0 : nacksMissing);
  peer.probe = undefined;
  const { name, incarnation } = probe.member;
  hearSuspect(peer, { kind: 'suspect', node: name, incarnation, from: peer.self.name });
  if (peer.isProbeDue) startProbe(peer);
}

function probeAnswered(peer: Peer): void {
  peer.awareness.add(-1);
  peer.probe = undefined;
  if (peer.isProbeDue) startProbe(peer);
}

export function hearPing(peer: Peer, from: Endpoint, ping: Ping): void {
  // The address may have belonged to another node before. A ping for that node must not be acked.
  if (ping.node !== '' && ping.node !== peer.self.name) return;
  peer.send(answerTo(from, ping), { kind: 'ack', seqNo: ping.seqNo, payload: NONE });
}

/** Another peer asks for an indirect probe. */
export function hearIndirectPing(peer: Peer, from: Endpoint, asked: IndirectPing): void {
  if (peer.relays.size >= MAX_RELAYS) return;
  const seqNo = peer.nextSeqNo();
  peer.relays.set(seqNo, { to: answerTo(from, asked), seqNo: asked.seqNo, wantsNack: asked.nack });
  peer.deadlines.add(peer.nowMs + peer.settings.probeTimeoutMs, { kind: 'relayEnd', seqNo });
  const { address, port, name } = peer.self;
  peer.send(asked, { kind: 'ping', seqNo, node: asked.node, source: { address, port, node: name } });
}

export function relayEnd(peer: Peer, seqNo: number): void {
  const relay = peer.relays.get(seqNo);
  peer.relays.delete(seqNo);
  if (relay?.wantsNack === true) peer.send(relay.to, { kind: 'nack', seqNo: relay.seqNo });
}

export function hearAck(peer: Peer, ack: Ack): void {
  if (peer.probe?.seqNo === ack.seqNo) return probeAnswered(peer);
  const relay = peer.relays.get(ack.seqNo);
  if (relay === undefined) return;
  peer.relays.delete(ack.seqNo);
  peer.send(relay.to, { kind: 'ack', seqNo: relay.seqNo, payload: NONE });
}

export function hearNack(peer: Peer, nack: Nack): void {
  if (peer.probe?.seqNo === nack.seqNo) peer.probe.nacks += 1;
}

/** The probed node acked by TCP. */
export function hearStreamAck(peer: Peer, seqNo: number): void {
  const { probe } = peer;
  if (probe?.seqNo !== seqNo) return;
  peer.tell({ kind: 'packetsLost', member: probe.member });
  probeAnswered(peer);
}

/**
 * The host of the probed node refused the TCP connection, so the node is not running there. The probe then waits only a
 * short time for indirect acks, many round trips within one data centre, instead of the whole interval.
 */
export function hearStreamRefused(peer: Peer, seqNo: number): void {
  if (peer.probe?.seqNo !== seqNo || peer.probe.isRefused) return;
  peer.probe.isRefused = true;
  peer.deadlines.add(peer.nowMs + REFUSED_GRACE_MS, { kind: 'probeEnd', seqNo });
}

const NONE = new Uint8Array();

function answerTo(from: Endpoint, asked: Ping | IndirectPing): Endpoint {
  return asked.source === undefined || asked.source.port === 0 ? from : asked.source;
}
