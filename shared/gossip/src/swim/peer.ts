import { COMPOUND_HEADER_BYTES, COMPOUND_PART_BYTES, MAX_COMPOUND_PARTS } from '../wire/compound.ts';
import { ENCRYPTION_BYTES } from '../wire/encrypt.ts';
import { labelHeader } from '../wire/label.ts';
import type { Message } from '../wire/message.ts';
import { Awareness } from './awareness.ts';
import { BroadcastQueue, encodedOnce, type Encoded } from './broadcast-queue.ts';
import { Deadlines } from './deadlines.ts';
import type { Effects, Endpoint, SwimEvent } from './effects.ts';
import { GossipBeat } from './gossip-beat.ts';
import type { Member } from './member.ts';
import type { Random } from './ring.ts';
import { Roster } from './roster.ts';
import { authorTransmitLimit, transmitLimit, type SwimSettings } from './settings.ts';

/** What can become due. */
export type Due =
  | { readonly kind: 'gossip' | 'probe' | 'pushPull' | 'pushPullOnce' }
  | { readonly kind: 'probeTimeout' | 'probeEnd' | 'relayEnd'; readonly seqNo: number }
  | { readonly kind: 'suspicion' | 'takeOver'; readonly member: Member }
  | { readonly kind: 'reap' | 'remind'; readonly member: Member; readonly sinceMs: number };

/** The probe that is on its way; there is never more than one. */
export interface Probe {
  readonly seqNo: number;
  readonly member: Member;
  nacksExpected: number;
  nacks: number;
  /** Its host answered that nobody listens there. */
  isRefused: boolean;
}

/** A probe made for somebody else. */
export interface Relay {
  readonly to: Endpoint;
  readonly seqNo: number;
  readonly wantsNack: boolean;
}

/** Of a packet: some records. */
const USER_SHARE = 0.25;

/**
 * All that one peer is and knows. The functions of this folder change it and put what shall happen into its effects;
 * time and randomness are given to it, and it touches nothing else.
 */
export class Peer {
  readonly settings: SwimSettings;
  readonly random: Random;
  readonly self: Member;
  readonly roster: Roster;
  readonly awareness: Awareness;
  readonly beat: GossipBeat;
  readonly deadlines = new Deadlines<Due>();
  readonly news: BroadcastQueue;
  readonly userNews: BroadcastQueue;
  readonly relays = new Map<number, Relay>();
  readonly #packetRoom: number;
  nowMs: number;
  /** Who sent what is being heard: it need not be told again. */
  hearingFrom: Endpoint | undefined;
  isLeaving = false;
  /** It is hearing from the one whom it joined first what all others know. */
  isBeingTold = false;
  probe: Probe | undefined;
  isProbeDue = false;
  isGossipDue = false;
  #seqNo = 0;
  #effects: MutableEffects = emptyEffects();

  constructor(given: {
    readonly settings: SwimSettings;
    readonly random: Random;
    readonly self: Member;
    readonly label: string;
    readonly nowMs: number;
  }) {
    this.settings = given.settings;
    this.random = given.random;
    this.self = given.self;
    this.nowMs = given.nowMs;
    this.roster = new Roster(given.random);
    this.beat = new GossipBeat(given.settings.gossipIntervalMs, given.nowMs);
    this.awareness = new Awareness(given.settings.awarenessMax);
    this.#packetRoom =
      given.settings.maxPacketBytes - ENCRYPTION_BYTES - labelHeader(given.label).length - COMPOUND_HEADER_BYTES;
    this.news = new BroadcastQueue(this.#packetRoom - COMPOUND_PART_BYTES);
    this.userNews = new BroadcastQueue(this.#packetRoom - COMPOUND_PART_BYTES);
  }

  /** How many there are, this one among them. */
  get nodes(): number {
    return this.roster.livingCount + 1;
  }

  nextSeqNo(): number {
    this.#seqNo = (this.#seqNo + 1) % 0x1_00_00_00_00;
    return this.#seqNo;
  }

  /** Sends a packet with these messages, and with as much news as fits beside them. */
  send(to: Endpoint, ...messages: readonly Message[]): void {
    const parts: Encoded[] = messages.map(encodedOnce);
    let bytes = this.#packetRoom;
    for (const part of parts) bytes -= part.bytes.length + COMPOUND_PART_BYTES;
    const { retransmitMult } = this.settings;
    const limits = {
      transmitLimit: transmitLimit(retransmitMult, this.nodes),
      authorTransmitLimit: authorTransmitLimit(retransmitMult, this.nodes),
    };
    const add = (queue: BroadcastQueue, most: number): void => {
      const room = { to, bytes: Math.min(most, bytes), messages: MAX_COMPOUND_PARTS - parts.length, ...limits };
      for (const news of queue.take(room)) {
        parts.push(news);
        bytes -= news.bytes.length + COMPOUND_PART_BYTES;
      }
    };
    // Where members come and go faster than packets can tell, users still have their share.
    add(this.userNews, this.news.size === 0 ? bytes : this.#packetRoom * USER_SHARE);
    add(this.news, bytes);
    if (parts.length > 0) this.#effects.packets.push({ to: { address: to.address, port: to.port }, parts });
  }

  /** Spreads news of a member; what was said of it before is not said any longer. */
  spread(about: string, message: Message): void {
    const knownTo: Endpoint[] = this.hearingFrom === undefined ? [] : [this.hearingFrom];
    if (message.kind === 'alive') knownTo.push({ address: message.address, port: message.port });
    this.news.add({ about, message, knownTo, isOwn: this.hearingFrom === undefined });
    this.gossipSoon();
  }

  /** Spreads news of users. */
  say(about: string, payload: Uint8Array, isOwn: boolean): void {
    this.userNews.add({ about, message: { kind: 'user', payload }, isOwn });
    this.gossipSoon();
  }

  /** Sees to it that news goes out as soon as the beat allows. */
  gossipSoon(): void {
    if (this.isGossipDue) return;
    this.isGossipDue = true;
    this.deadlines.add(this.beat.nextMs(this.nowMs), { kind: 'gossip' });
  }

  /** Sends one message and no news beside it. */
  sendAlone(to: Endpoint, message: Message): void {
    this.#effects.packets.push({ to: { address: to.address, port: to.port }, parts: [encodedOnce(message)] });
  }

  exchange(to: Endpoint, isJoin: boolean): void {
    this.#effects.exchanges.push({ to, isJoin });
  }

  pingByStream(to: Endpoint, node: string, seqNo: number, timeoutMs: number): void {
    this.#effects.streamPings.push({ to, node, seqNo, timeoutMs });
  }

  tell(event: SwimEvent): void {
    this.#effects.events.push(event);
  }

  takeEffects(): Effects {
    const effects = this.#effects;
    this.#effects = emptyEffects();
    return effects;
  }
}

type MutableEffects = { readonly [Key in keyof Effects]: Effects[Key][number][] };

function emptyEffects(): MutableEffects {
  return { packets: [], exchanges: [], streamPings: [], events: [] };
}
