import type { Message } from '../wire/message.ts';
import { encodeMessage } from '../wire/encode-message.ts';
import type { Endpoint } from './effects.ts';
import { COMPOUND_PART_BYTES } from '../wire/compound.ts';

/** A message with its bytes, made once however often it is sent. */
export interface Encoded {
  readonly message: Message;
  readonly bytes: Uint8Array;
}

export function encodedOnce(message: Message): Encoded {
  return { message, bytes: encodeMessage(message) };
}

/** Something to be told to all. */
export interface News {
  /** What it is about: newer news of the same replaces it. */
  readonly about: string;
  readonly message: Message;
  /** Who knows it already: the one it came from, the one it is about. */
  readonly knownTo?: readonly Endpoint[];
  /** It began here, and is sent as often as an author does. */
  readonly isOwn?: boolean;
  /** It has been sent often enough, or something newer took its place. */
  readonly onDone?: () => void;
}

type Broadcast = News & Encoded;

/** When what comes next does not fit or is known there, this many after it are looked at before it is enough. */
const LOOK_AHEAD = 32;

/** What a packet has left for news, and where it goes. */
export interface PacketRoom {
  readonly to: Endpoint;
  readonly bytes: number;
  readonly messages: number;
  /** How often news is sent altogether. */
  readonly transmitLimit: number;
  readonly authorTransmitLimit: number;
}

/**
 * News that is sent along until it has been sent often enough, the least often sent first. All of one count of sending
 * are kept together in the order they came, so that nothing ever looks through the whole queue.
 */
export class BroadcastQueue {
  readonly #maxBytes: number;
  readonly #tiers: Set<Broadcast>[] = [];
  readonly #byName = new Map<string, { readonly broadcast: Broadcast; tier: number }>();

  /** What is longer than this fits into no packet and is left to exchanges of whole states. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#byName.size;
  }

  add(news: News): void {
    this.#remove(news.about);
    const { about } = news;
    const broadcast: Broadcast = { ...news, ...encodedOnce(news.message) };
    if (broadcast.bytes.length > this.#maxBytes) {
      news.onDone?.();
      return;
    }
    this.#tier(0).add(broadcast);
    this.#byName.set(about, { broadcast, tier: 0 });
  }

  /** What shall be in a packet, each message counted with its place in a compound one. */
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

  #remove(about: string): void {
    const entry = this.#byName.get(about);
    if (entry === undefined) return;
    this.#tiers[entry.tier]?.delete(entry.broadcast);
    this.#byName.delete(about);
    entry.broadcast.onDone?.();
  }

  #tier(index: number): Set<Broadcast> {
    for (let tier = this.#tiers.length; tier <= index; tier += 1) this.#tiers.push(new Set());
    const tier = this.#tiers[index];
    if (tier === undefined) throw new Error(`tier ${index} was just made`);
    return tier;
  }
}

function isKnownTo(broadcast: Broadcast, to: Endpoint): boolean {
  return (broadcast.knownTo ?? []).some(({ address, port }) => address === to.address && port === to.port);
}
