/** The first byte of each message (hashicorp/memberlist net.go). */
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
/** memberlist knows no limit; a DNS name has at most 253, and serf's names are 128. */
export const MAX_NAME_BYTES = 512;

/** Protocol versions a node speaks: of memberlist itself and of what is built upon it (serf, or nothing: all zero). */
export interface Versions {
  readonly protocolMin: number;
  readonly protocolMax: number;
  readonly protocol: number;
  readonly delegateMin: number;
  readonly delegateMax: number;
  readonly delegate: number;
}

/** Who asked, so that an answer finds its way also where the packet's own source address does not lead back. */
export interface Source {
  readonly address: string;
  readonly port: number;
  readonly node: string;
}

export interface Ping {
  readonly kind: 'ping';
  readonly seqNo: number;
  /** Whom it is for; a host that has taken over an address must not answer for another. Empty where unknown. */
  readonly node: string;
  readonly source?: Source;
}

export interface IndirectPing {
  readonly kind: 'indirectPing';
  readonly seqNo: number;
  readonly address: string;
  readonly port: number;
  readonly node: string;
  /** The one who asks wants to hear that there was no answer. */
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

/** A node that left says so of itself: then `from` is `node`. */
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

/** What a packet carries. */
export type Message = Ping | IndirectPing | Ack | Nack | Suspect | Dead | Alive | User | ErrorMessage;

/** In the order of their numbers on the wire. */
export const NODE_STATES = ['alive', 'suspect', 'dead', 'left'] as const;
export type NodeState = (typeof NODE_STATES)[number];

/** What a peer believes of a node. */
export interface NodeBelief {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly meta: Uint8Array;
  readonly incarnation: number;
  readonly state: NodeState;
  readonly versions: Versions;
}

/** Everything a peer believes, and what those who use gossip have added. */
export interface PushPull {
  readonly kind: 'pushPull';
  readonly join: boolean;
  readonly nodes: readonly NodeBelief[];
  readonly userState: Uint8Array;
}
