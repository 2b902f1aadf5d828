import type { GossipLog } from './gossip-log.ts';
import type { DnsName, RecordInForce } from './records/record.ts';
import type { RecordSettings } from './records/record-map.ts';
import type { RecordSigning, RecordTrust } from './records/signed/signed-records.ts';
import type { MemberView, SwimEvent } from './swim/effects.ts';
import type { Endpoint } from './swim/endpoint.ts';
import type { SwimSettings } from './swim/settings.ts';
import type { KeyUse } from './transport/keyring.ts';
import type { Versions } from './wire/message.ts';

export interface GossipOptions {
  /** The name of this peer, unique in the cluster. */
  readonly name: string;
  /** An address of this machine. The peer listens on it, by UDP and TCP, and other peers reach it there. */
  readonly bindAddress: string;
  readonly port?: number;
  /** Keys of 16, 24 or 32 bytes: the first encrypts, all of them decrypt. At least one is required. */
  readonly keys: readonly Uint8Array[];
  /** The peers to join through, asked for each time they are needed. The list may contain members and this peer. */
  readonly seeds: () => Promise<readonly Endpoint[]>;
  /** Separates clusters that can reach each other, e.g. the cluster's name. */
  readonly label?: string;
  readonly log: GossipLog;
  readonly settings?: SwimSettings;
  readonly recordSettings?: RecordSettings;
  /** The names that count only with the signature of a certified key; none without it. */
  readonly signing?: RecordSigning;
  readonly versions?: Versions;
  /** Up to 512 bytes that every member learns about this peer. */
  readonly meta?: Uint8Array;
}

/** `records` means that the set of records in force has changed. */
export type GossipEvent = SwimEvent | { readonly kind: 'records' };

export interface Gossip {
  readonly name: string;
  /** All members that are alive or suspected, this peer first. */
  members(): readonly MemberView[];
  /** The records in force, of all owners, always in the same order. */
  records(): readonly RecordInForce[];
  /** Replaces this peer's own names. Names that are not in the new list are deleted. */
  publish(names: readonly DnsName[]): void;
  /**
   * Broadcasts a user message. Each other member receives it once, as an event of kind `user`. The payload must not
   * begin with 0x6b, which marks records, and must differ from earlier payloads.
   */
  say(payload: Uint8Array): void;
  /** Calls the listener for each event, until the returned function is called. */
  subscribe(listener: (event: GossipEvent) => void): () => void;
  /** Replaces the keys; see Keyring for the order in which to change the keys of a whole cluster. */
  replaceKeys(keys: readonly Uint8Array[]): void;
  /** How much this peer has used the key that encrypts. */
  keyUse(): KeyUse;
  /** Tells all members what they should know about this peer, up to 512 bytes. */
  setMeta(meta: Uint8Array): void;
  /** Replaces the authorities of signed records and this peer's own certificate; only for a peer with `signing`. */
  replaceTrust(trust: RecordTrust): void;
  /** Withdraws this peer's names and leaves the cluster, so that the other members do not report a failure, and closes. */
  leave(): Promise<void>;
  /** Closes at once without leaving. To the other members this looks like a crash. */
  close(): Promise<void>;
}
