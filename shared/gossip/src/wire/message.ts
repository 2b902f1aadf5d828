/** The type of a message, its first byte (hashicorp/memberlist net.go). */
export const TYPE = {
  ping: 0,
  indirectPing: 1,
  ack: 2,
  suspect: 3,
  alive: 4,
  dead: 5,
  pushPull: 6,
  compound: 7,
  user: 8,
  compress: 9,
  encrypt: 10,
  nack: 11,
  hasCrc: 12,
  err: 13,
  hasLabel: 244,
} as const;

/** memberlist MetaMaxSize. */
export const MAX_META_BYTES = 512;
/** memberlist has no limit. A DNS name has at most 253 bytes, a serf name 128. */
export const MAX_NAME_BYTES = 512;

/**
 * The protocol versions of a node: those of memberlist, and those of the delegate on top of it (serf; all zero without
 * one).
 */
export interface Versions {
  readonly protocolMin: number;
  readonly protocolMax: number;
  readonly protocol: number;
  readonly delegateMin: number;
  readonly delegateMax: number;
  readonly delegate: number;
}

/** The peer that asks, so that the answer reaches it even if the packet's source address does not. */
export interface Source {
  readonly address: string;
  readonly port: number;
  readonly node: string;
}

export interface Ping {
  readonly kind: 'ping';
  readonly seqNo: number;
  /**
   * The node that is pinged. A host that has taken over an address must not answer for another node. Empty where
   * unknown.
   */
  readonly node: string;
  readonly source?: Source;
}

export interface IndirectPing {
  readonly kind: 'indirectPing';
  readonly seqNo: number;
  readonly address: string;
  readonly port: number;
  readonly node: string;
  /** Whether the asking peer wants a nack if there is no ack. */
  readonly nack: boolean;
  readonly source?: Source;
}

export interface Ack {
  readonly kind: 'ack';
  readonly seqNo: number;
  readonly payload: Uint8Array;
}

export interface Nack {
  readonly kind: 'nack';
  readonly seqNo: number;
}

export interface Suspect {
  readonly kind: 'suspect';
  readonly incarnation: number;
  readonly node: string;
  readonly from: string;
}

/** A node that leaves announces it itself: then `from` equals `node`. */
export interface Dead {
  readonly kind: 'dead';
  readonly incarnation: number;
  readonly node: string;
  readonly from: string;
}

export interface Alive {
  readonly kind: 'alive';
  readonly incarnation: number;
  readonly node: string;
  readonly address: string;
  readonly port: number;
  readonly meta: Uint8Array;
  readonly versions: Versions;
}

export interface User {
  readonly kind: 'user';
  readonly payload: Uint8Array;
}

export interface ErrorMessage {
  readonly kind: 'err';
  readonly error: string;
}

/** A message in a packet. */
export type Message = Ping | IndirectPing | Ack | Nack | Suspect | Dead | Alive | User | ErrorMessage;

/** In the order of their numbers on the wire. */
export const NODE_STATES = ['alive', 'suspect', 'dead', 'left'] as const;
export type NodeState = (typeof NODE_STATES)[number];

/** What a peer believes about a node. */
export interface NodeBelief {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly meta: Uint8Array;
  readonly incarnation: number;
  readonly state: NodeState;
  readonly versions: Versions;
}

/** The whole state of a peer, and the state of the users of gossip. */
export interface PushPull {
  readonly kind: 'pushPull';
  readonly join: boolean;
  readonly nodes: readonly NodeBelief[];
  readonly userState: Uint8Array;
}
