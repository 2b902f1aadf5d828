import type { NodeState, Versions } from '../wire/message.ts';
import type { Encoded } from './broadcast-queue.ts';
import type { Endpoint } from './endpoint.ts';

/** The messages of one packet. */
export interface OutgoingPacket {
  readonly to: Endpoint;
  readonly parts: readonly Encoded[];
}

/** An exchange of whole states by TCP (push/pull). The answer comes back as an input of kind `state`. */
export interface Exchange {
  readonly to: Endpoint;
  readonly isJoin: boolean;
}

/** A ping by TCP of a node that did not answer by UDP. The answer comes back as an input of kind `streamAck`. */
export interface StreamPing {
  readonly to: Endpoint;
  readonly node: string;
  readonly seqNo: number;
  readonly timeoutMs: number;
}

/** What this peer knows of a member. */
export interface MemberView {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly meta: Uint8Array;
  readonly versions: Versions;
  readonly incarnation: number;
  readonly state: NodeState;
}

export type SwimEvent =
  /** A member joined, or came back. */
  | { readonly kind: 'join'; readonly member: MemberView }
  /** A member left. */
  | { readonly kind: 'leave'; readonly member: MemberView }
  /** A suspected member did not refute in time and is now dead. */
  | { readonly kind: 'fail'; readonly member: MemberView }
  /** The meta data or the address of a member changed. */
  | { readonly kind: 'update'; readonly member: MemberView }
  /** A member is suspected; `from` is the peer that suspects it, which may be this one. */
  | { readonly kind: 'suspect'; readonly member: MemberView; readonly from: string }
  /** This peer was suspected or declared dead, and refuted it with a higher incarnation. */
  | { readonly kind: 'refuted'; readonly incarnation: number }
  /** Two machines use one name. */
  | { readonly kind: 'conflict'; readonly member: MemberView; readonly other: Endpoint }
  /** A probed node answered by TCP but not by UDP: something on the way drops packets. */
  | { readonly kind: 'packetsLost'; readonly member: MemberView }
  /** A node in the state of a peer was left out because its protocol versions do not match this peer's. */
  | { readonly kind: 'incompatible'; readonly node: string; readonly why: string }
  /** A node is not taken in, because there are as many members as a peer can know. */
  | { readonly kind: 'tooMany'; readonly node: string }
  /** A user message. */
  | { readonly kind: 'user'; readonly payload: Uint8Array; readonly from: Endpoint }
  /** The leave message of this peer has been sent often enough, or there is nobody to send it to. */
  | { readonly kind: 'left' };

/** What the caller of the state machine has to do after a step. */
export interface Effects {
  readonly packets: readonly OutgoingPacket[];
  readonly exchanges: readonly Exchange[];
  readonly streamPings: readonly StreamPing[];
  readonly events: readonly SwimEvent[];
}
