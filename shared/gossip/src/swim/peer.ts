import { COMPOUND_HEADER_BYTES, COMPOUND_PART_BYTES, MAX_COMPOUND_PARTS } from '../wire/compound.ts';
import { ENCRYPTION_BYTES } from '../wire/encrypt.ts';
import { labelHeader } from '../wire/label.ts';
import type { Message } from '../wire/message.ts';
import { Awareness } from './awareness.ts';
import { BroadcastQueue, encodedOnce, type Encoded } from './broadcast-queue.ts';
import { Deadlines } from './deadlines.ts';
import type { Effects, SwimEvent } from './effects.ts';
import type { Endpoint } from './endpoint.ts';
import { GossipBeat } from './gossip-beat.ts';
import type { Due, Member } from './member.ts';
import type { Random } from './ring.ts';
import { Roster } from './roster.ts';
import { authorTransmitLimit, transmitLimit, type SwimSettings } from './settings.ts';

/** The probe in progress. There is at most one. */
export interface Probe {
  readonly seqNo: number;
  readonly member: Member;
  nacksExpected: number;
  nacks: number;
  /** The host refused the TCP connection. */
  isRefused: boolean;
}

/** An indirect probe made for another peer. */
export interface Relay {
  readonly to: Endpoint;
  readonly seqNo: number;
  readonly wantsNack: boolean;
}

/** The share of a packet that is reserved for user messages; a few records fit into it. */
const USER_SHARE = 0.25;

/**
 * The whole state of one peer. The functions of this folder change it and add to its effects. It gets time and
 * randomness from outside and does no I/O.
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
  /** The sender of the message being handled. It does not need to be told what it sent. */
  hearingFrom: Endpoint | undefined;
  isLeaving = false;
  /** Whether the state being merged is the first one after a join, which all other members know already. */
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

  /** The number of living members, including this peer. */
  get nodes(): number {
    return this.roster.livingCount + 1;
  }

  nextSeqNo(): number {
    this.#seqNo = (this.#seqNo + 1) % 0x1_00_00_00_00;
    return this.#seqNo;
  }

  /** Sends a packet with these messages, and adds as many broadcasts as fit. */
  send(to: Endpoint, ...messages: readonly Message[]): void {
    const parts: Encoded[] = messages.map(encodedOnce);
    let bytes = this.#packetRoom;
    for (const part of parts) bytes -= part.bytes.length + COMPOUND_PART_BYTES;
    const { retransmitMult } = this.settings;
    const limits = {
      transmitLimit: transmitLimit(retransmitMult, this.nodes),
      authorTransmitLimit: authorTransmitLimit(retransmitMult, this.nodes),
    };
    const add = (queue: BroadcastQueue, most: number, messages = MAX_COMPOUND_PARTS - parts.length): boolean => {
      const taken = queue.take({ to, bytes: Math.min(most, bytes), messages, ...limits });
      for (const news of taken) bytes -= news.bytes.length + COMPOUND_PART_BYTES;
      parts.push(...taken);
      return taken.length > 0;
    };
    // User messages keep their share even while membership changes would fill every packet. One that is longer than the
    // share, as signed records are, goes alone.
    const hasUserNews = add(this.userNews, this.news.size === 0 ? bytes : this.#packetRoom * USER_SHARE);
    if (!hasUserNews) add(this.userNews, bytes, 1);
    add(this.news, bytes);
    if (parts.length > 0) this.#effects.packets.push({ to: { address: to.address, port: to.port }, parts });
  }

  /** Broadcasts news of a member. It replaces an earlier broadcast about the same member. */
  spread(about: string, message: Message): void {
    const knownTo: Endpoint[] = this.hearingFrom === undefined ? [] : [this.hearingFrom];
    if (message.kind === 'alive') knownTo.push({ address: message.address, port: message.port });
    this.news.add({ about, message, knownTo, isOwn: this.hearingFrom === undefined });
    this.gossipSoon();
  }

  /** Broadcasts a user message. */
  say(about: string, payload: Uint8Array, isOwn: boolean): void {
    this.userNews.add({ about, message: { kind: 'user', payload }, isOwn });
    this.gossipSoon();
  }

  /** Schedules gossip for the next beat. */
  gossipSoon(): void {
    if (this.isGossipDue) return;
    this.isGossipDue = true;
    this.deadlines.add(this.beat.nextMs(this.nowMs), { kind: 'gossip' });
  }

  /** Sends one message without adding broadcasts. */
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
