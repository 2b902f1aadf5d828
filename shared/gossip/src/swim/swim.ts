import type { Message, NodeBelief, Versions } from '../wire/message.ts';
import type { Effects, MemberView } from './effects.ts';
import type { Endpoint } from './endpoint.ts';
import { declareDead, hearAlive, hearDead, hearState, hearSuspect, ownAlive, reap, remind, takeOver } from './hear.ts';
import { type Due, beliefOf, isGone, type Member } from './member.ts';
import { Peer } from './peer.ts';
import {
  hearAck,
  hearIndirectPing,
  hearNack,
  hearPing,
  hearStreamAck,
  hearStreamRefused,
  probeDue,
  probeEnd,
  probeTimeout,
  relayEnd,
} from './probing.ts';
import type { Random } from './ring.ts';
import { pushPullIntervalMs, type SwimSettings } from './settings.ts';

/** An input of the state machine: from the network, from the clock, or from the program that runs the peer. */
export type Input =
  | { readonly kind: 'packet'; readonly from: Endpoint; readonly messages: readonly Message[] }
  | { readonly kind: 'tick' }
  /** The state of another peer, from an exchange that either side started. */
  | { readonly kind: 'state'; readonly from: Endpoint; readonly isJoin: boolean; readonly nodes: readonly NodeBelief[] }
  | { readonly kind: 'streamAck'; readonly seqNo: number }
  /** The host of a probed node refused the TCP connection. */
  | { readonly kind: 'streamRefused'; readonly seqNo: number }
  | { readonly kind: 'join'; readonly to: Endpoint }
  /** A user message to broadcast, of this peer or of another. It replaces an earlier one with the same `about`. */
  | { readonly kind: 'say'; readonly about: string; readonly payload: Uint8Array; readonly isOwn: boolean }
  | { readonly kind: 'meta'; readonly meta: Uint8Array }
  | { readonly kind: 'leave' };

/** Several beats of gossip have passed by then and have brought nearly everything; no probe has failed yet. */
const JOIN_REPAIR_MS = { min: 800, max: 1600 };

export interface SwimConfig {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly meta: Uint8Array;
  readonly versions: Versions;
  readonly settings: SwimSettings;
  /** Only the length of the label matters here: it takes room in each packet. */
  readonly label: string;
}

/**
 * The state machine of one peer: SWIM with Lifeguard, as in memberlist. Inputs and times go in; packets and events come
 * out.
 */
export interface Swim {
  /** Handles an input. Times never go back. */
  step(input: Input, nowMs: number): Effects;
  /** When a tick is due next. */
  nextTickMs(): number;
  /** What this peer believes about all nodes, for an exchange of states. */
  state(): readonly NodeBelief[];
  /** All members that are alive or suspected, this peer first. */
  members(): readonly MemberView[];
  member(name: string): MemberView | undefined;
  /** The number of members that are alive or suspected, including this peer. */
  readonly nodes: number;
  readonly awareness: number;
}

/**
 * Creates a peer that knows only itself, or one that already knows the nodes in `known`; that one does not announce
 * itself.
 */
export function createSwim(config: SwimConfig, random: Random, nowMs: number, known: readonly NodeBelief[] = []): Swim {
  const { settings, label, name, address, port, meta, versions } = config;
  const self: Member = {
    name,
    address,
    port,
    meta,
    versions,
    incarnation: 1,
    state: 'alive',
    changedAtMs: nowMs,
    suspicion: undefined,
    place: 0,
  };
  const peer = new Peer({ settings, random, self, label, nowMs });
  for (const node of known) {
    if (node.name !== name) peer.roster.add({ ...node, changedAtMs: nowMs, suspicion: undefined, place: 0 });
  }
  // Not marked as own news: this peer also greets the members it first hears of.
  if (known.length === 0) peer.news.add({ about: name, message: ownAlive(peer) });
  // Random offsets, so that peers that start together do not probe together.
  peer.deadlines.add(nowMs + random() * settings.probeIntervalMs, { kind: 'probe' });
  peer.deadlines.add(nowMs + random() * settings.pushPullIntervalMs, { kind: 'pushPull' });

  return {
    step(input, atMs) {
      peer.nowMs = Math.max(peer.nowMs, atMs);
      take(peer, input);
      return peer.takeEffects();
    },
    nextTickMs: () => peer.deadlines.nextMs(),
    state: () => [peer.self, ...peer.roster.all()].map(beliefOf),
    members: () => [peer.self, ...peer.roster.all()].filter((member) => !isGone(member)),
    member: (wanted) => (wanted === name ? peer.self : peer.roster.get(wanted)),
    get nodes() {
      return peer.nodes;
    },
    get awareness() {
      return peer.awareness.score;
    },
  };
}

function take(peer: Peer, input: Input): void {
  peer.hearingFrom = undefined;
  switch (input.kind) {
    case 'packet':
      peer.hearingFrom = input.from;
      for (const message of input.messages) hear(peer, input.from, message);
      break;
    case 'tick':
      for (let due = peer.deadlines.takeDue(peer.nowMs); due !== undefined; due = peer.deadlines.takeDue(peer.nowMs)) {
        act(peer, due);
      }
      break;
    case 'state':
      peer.hearingFrom = input.from;
      hearState(peer, input.nodes, input.isJoin);
      if (input.isJoin) joined(peer);
      break;
    case 'streamAck':
      hearStreamAck(peer, input.seqNo);
      break;
    case 'streamRefused':
      hearStreamRefused(peer, input.seqNo);
      break;
    case 'join':
      peer.exchange(input.to, true);
      break;
    case 'say':
      peer.say(input.about, input.payload, input.isOwn);
      break;
    case 'meta':
      peer.self.meta = input.meta;
      peer.self.incarnation += 1;
      peer.spread(peer.self.name, ownAlive(peer));
      break;
    case 'leave':
      leave(peer);
      break;
  }
}

function hear(peer: Peer, from: Endpoint, message: Message): void {
  switch (message.kind) {
    case 'ping':
      return hearPing(peer, from, message);
    case 'indirectPing':
      return hearIndirectPing(peer, from, message);
    case 'ack':
      return hearAck(peer, message);
    case 'nack':
      return hearNack(peer, message);
    case 'alive':
      return hearAlive(peer, message);
    case 'suspect':
      return hearSuspect(peer, message);
    case 'dead':
      return hearDead(peer, message);
    case 'user':
      return peer.tell({ kind: 'user', payload: message.payload, from });
    case 'err':
      // `err` is an answer in streams only and has no meaning in a packet.
      return;
  }
}

function act(peer: Peer, due: Due): void {
  const { settings, nowMs } = peer;
  switch (due.kind) {
    case 'gossip':
      return gossip(peer);
    case 'probe':
      // The next probe counts from now: missed intervals are not made up for.
      peer.deadlines.add(nowMs + settings.probeIntervalMs, due);
      return probeDue(peer);
    case 'pushPull':
      peer.deadlines.add(nowMs + pushPullIntervalMs(settings.pushPullIntervalMs, peer.nodes), due);
      return pushPull(peer);
    case 'pushPullOnce':
      return pushPull(peer);
    case 'probeTimeout':
      return probeTimeout(peer, due.seqNo);
    case 'probeEnd':
      return probeEnd(peer, due.seqNo);
    case 'relayEnd':
      return relayEnd(peer, due.seqNo);
    case 'suspicion':
      return declareDead(peer, due.member);
    case 'takeOver':
      return takeOver(peer, due.member);
    case 'remind':
      return remind(peer, due.member, due.sinceMs);
    case 'reap':
      return reap(peer, due.member, due.sinceMs);
  }
}

function pushPull(peer: Peer): void {
  const [other] = peer.isLeaving ? [] : peer.roster.pickAlive(1);
  if (other !== undefined) peer.exchange({ address: other.address, port: other.port }, false);
}

/**
 * Many peers that join at once miss some of each other. Another exchange soon after the join repairs that, without
 * waiting for the next regular one.
 */
function joined(peer: Peer): void {
  const afterMs = JOIN_REPAIR_MS.min + peer.random() * (JOIN_REPAIR_MS.max - JOIN_REPAIR_MS.min);
  peer.deadlines.add(peer.nowMs + afterMs, { kind: 'pushPullOnce' });
}

function gossip(peer: Peer): void {
  peer.isGossipDue = false;
  const members = peer.roster.nextToTell(peer.settings.gossipNodes);
  // With no member to send to, the news stays queued until the first one joins.
  if (members.length > 0) {
    peer.beat.use(peer.nowMs);
    for (const member of members) {
      if (peer.news.size + peer.userNews.size === 0) break;
      peer.send(member);
    }
    if (peer.news.size + peer.userNews.size > 0) peer.gossipSoon();
  }
  if (peer.isLeaving && (members.length === 0 || !peer.news.has(peer.self.name))) peer.tell({ kind: 'left' });
}

function leave(peer: Peer): void {
  if (peer.isLeaving) return;
  peer.isLeaving = true;
  const { name, incarnation } = peer.self;
  peer.self.state = 'left';
  if (peer.roster.livingCount === 0) return peer.tell({ kind: 'left' });
  peer.news.add({ about: name, message: { kind: 'dead', node: name, incarnation, from: name } });
  peer.gossipSoon();
}
