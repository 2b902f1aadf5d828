import type { Message, NodeBelief, Versions } from '../wire/message.ts';
import type { Effects, Endpoint, MemberView } from './effects.ts';
import { condemn, hearAlive, hearDead, hearState, hearSuspect, ownAlive, reap, remind, takeOver } from './hear.ts';
import { beliefOf, isGone, type Member } from './member.ts';
import { Peer, type Due } from './peer.ts';
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

/** What comes in: from the network, from the clock, and from whom the peer belongs to. */
export type Input =
  | { readonly kind: 'packet'; readonly from: Endpoint; readonly messages: readonly Message[] }
  | { readonly kind: 'tick' }
  /** A whole state, by an exchange that either side began. */
  | { readonly kind: 'state'; readonly from: Endpoint; readonly isJoin: boolean; readonly nodes: readonly NodeBelief[] }
  | { readonly kind: 'streamAck'; readonly seqNo: number }
  /** The host of a probed node says that nobody listens at its port. */
  | { readonly kind: 'streamRefused'; readonly seqNo: number }
  | { readonly kind: 'join'; readonly to: Endpoint }
  /** News of users, begun here or said on; what was said about the same is not said any longer. */
  | { readonly kind: 'say'; readonly about: string; readonly payload: Uint8Array; readonly isOwn: boolean }
  | { readonly kind: 'meta'; readonly meta: Uint8Array }
  | { readonly kind: 'leave' };

/** After several beats of gossip, which bring nearly everything, and before anybody is missed. */
const JOIN_REPAIR_MS = { min: 800, max: 1600 };

export interface SwimConfig {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly meta: Uint8Array;
  readonly versions: Versions;
  readonly settings: SwimSettings;
  /** Only its length matters here: it takes room in each packet. */
  readonly label: string;
}

/** One peer of SWIM with Lifeguard, as memberlist is one: inputs and times go in, packets and events come out. */
export interface Swim {
  /** Puts something in. Times never go backwards. */
  step(input: Input, nowMs: number): Effects;
  /** When a tick is due next. */
  nextTickMs(): number;
  /** Everything this peer believes, for an exchange of states. */
  state(): readonly NodeBelief[];
  /** All members who are alive or suspected, this peer first. */
  members(): readonly MemberView[];
  member(name: string): MemberView | undefined;
  /** How many there are, this one among them. */
  readonly nodes: number;
  readonly awareness: number;
}

/** A peer that knows itself alone, or what is `known` from before: then it waits to be asked before it speaks of itself. */
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
  // Whom it hears of first it greets as well, so this is told as often as other news, and not to each.
  if (known.length === 0) peer.news.add({ about: name, message: ownAlive(peer) });
  // Those who start together must not act together.
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
      // Errors are answers in streams; in a packet they mean nothing.
      return;
  }
}

function act(peer: Peer, due: Due): void {
  const { settings, nowMs } = peer;
  switch (due.kind) {
    case 'gossip':
      return gossip(peer);
    case 'probe':
      // A beat that was missed is not made up for.
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
      return condemn(peer, due.member);
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
 * Where many join at once, each of them has just missed some of the others: another exchange soon after finds what
 * gossip did not bring, without waiting for the next one of the steady beat.
 */
function joined(peer: Peer): void {
  const afterMs = JOIN_REPAIR_MS.min + peer.random() * (JOIN_REPAIR_MS.max - JOIN_REPAIR_MS.min);
  peer.deadlines.add(peer.nowMs + afterMs, { kind: 'pushPullOnce' });
}

function gossip(peer: Peer): void {
  peer.isGossipDue = false;
  const members = peer.roster.nextToTell(peer.settings.gossipNodes);
  // With nobody to tell, news waits for the first who comes.
  if (members.length === 0) return;
  peer.beat.use(peer.nowMs);
  for (const member of members) {
    if (peer.news.size + peer.userNews.size === 0) return;
    peer.send(member);
  }
  if (peer.news.size + peer.userNews.size > 0) peer.gossipSoon();
}

function leave(peer: Peer): void {
  if (peer.isLeaving) return;
  peer.isLeaving = true;
  const { name, incarnation } = peer.self;
  peer.self.state = 'left';
  const onDone = (): void => peer.tell({ kind: 'left' });
  if (peer.roster.livingCount === 0) return onDone();
  peer.news.add({ about: name, message: { kind: 'dead', node: name, incarnation, from: name }, onDone });
  peer.gossipSoon();
}
