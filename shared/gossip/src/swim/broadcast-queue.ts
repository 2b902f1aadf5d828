import type { Message } from '../wire/message.ts';
import { encodeMessage } from '../wire/encode-message.ts';
import type { Endpoint } from './endpoint.ts';
import { COMPOUND_PART_BYTES } from '../wire/compound.ts';

/** A message and its encoding, made once for all the packets that carry it. */
export interface Encoded {
  readonly message: Message;
  readonly bytes: Uint8Array;
}

export function encodedOnce(message: Message): Encoded {
  return { message, bytes: encodeMessage(message) };
}

/** A message to broadcast to all members. */
export interface News {
  /** What the message is about: a later broadcast about the same replaces it. */
  readonly about: string;
  readonly message: Message;
  /** Members that know it already: the sender, and the member it is about. */
  readonly knownTo?: readonly Endpoint[];
  /** Whether this peer is the author, who sends it more often in small clusters. */
  readonly isOwn?: boolean;
}

type Broadcast = News & Encoded;

/**
 * Of news about every member of the largest cluster, only the older half may be lost: an exchange of whole states carries it.
 */
const MAX_WAITING = 4096;

/** After this many messages of one tier that do not fit, or are known to the receiver, the search moves on. */
const LOOK_AHEAD = 32;

/** The room that a packet has left for broadcasts, and its receiver. */
export interface PacketRoom {
  readonly to: Endpoint;
  readonly bytes: number;
  readonly messages: number;
  /** How often a broadcast is sent in total. */
  readonly transmitLimit: number;
  readonly authorTransmitLimit: number;
}

/**
 * Broadcasts wait here until they have been sent often enough; those sent least often go first. Messages sent the same
 * number of times form a tier, in the order they came, so that no operation searches the whole queue.
 */
export class BroadcastQueue {
  readonly #maxBytes: number;
  readonly #tiers: Set<Broadcast>[] = [];
  readonly #byName = new Map<string, { readonly broadcast: Broadcast; tier: number }>();

  /** A message longer than `maxBytes` fits into no packet and is dropped: an exchange of whole states carries it. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#byName.size;
  }

  has(about: string): boolean {
    return this.#byName.has(about);
  }

  add(news: News): void {
    this.#remove(news.about);
    const { about } = news;
    const broadcast: Broadcast = { ...news, ...encodedOnce(news.message) };
    if (broadcast.bytes.length > this.#maxBytes) return;
    if (this.#byName.size >= MAX_WAITING) this.#dropOne();
    this.#tier(0).add(broadcast);
    this.#byName.set(about, { broadcast, tier: 0 });
  }

  /** Takes the messages for one packet. Each counts with its length in the compound header. */
  take(packet: PacketRoom): readonly Encoded[] {
    if (this.#byName.size === 0) return [];
    const taken: { broadcast: Broadcast; tier: number }[] = [];
    let left = packet.bytes;
    for (const [tier, broadcasts] of this.#tiers.entries()) {
      let misses = 0;
      for (const broadcast of broadcasts) {
        if (misses === LOOK_AHEAD || taken.length === packet.messages) break;
        const bytes = broadcast.bytes.length + COMPOUND_PART_BYTES;
        if (bytes > left || isKnownTo(broadcast, packet.to)) {
          misses += 1;
          continue;
        }
        left -= bytes;
        taken.push({ broadcast, tier });
      }
    }
    for (const { broadcast, tier } of taken) {
      this.#sent(broadcast, tier, broadcast.isOwn === true ? packet.authorTransmitLimit : packet.transmitLimit);
    }
    return taken.map(({ broadcast }) => broadcast);
  }

  #sent(broadcast: Broadcast, tier: number, transmitLimit: number): void {
    if (tier + 1 >= transmitLimit) {
      this.#remove(broadcast.about);
      return;
    }
    this.#tiers[tier]?.delete(broadcast);
    this.#tier(tier + 1).add(broadcast);
    const entry = this.#byName.get(broadcast.about);
    if (entry !== undefined) entry.tier = tier + 1;
  }

  /** Drops what was sent most often. */
  #dropOne(): void {
    const [most] = this.#tiers.findLast(({ size }) => size > 0) ?? [];
    if (most !== undefined) this.#remove(most.about);
  }

  #remove(about: string): void {
    const entry = this.#byName.get(about);
    if (entry === undefined) return;
    this.#tiers[entry.tier]?.delete(entry.broadcast);
    this.#byName.delete(about);
  }

  #tier(index: number): Set<Broadcast> {
    for (let tier = this.#tiers.length; tier <= index; tier += 1) this.#tiers.push(new Set());
    const tier = this.#tiers[index];
    if (tier === undefined) throw new Error(`tier ${index} does not exist, although it was just added`);
    return tier;
  }
}

function isKnownTo(broadcast: Broadcast, to: Endpoint): boolean {
  return (broadcast.knownTo ?? []).some(({ address, port }) => address === to.address && port === to.port);
}
