import type { NodeState, Versions } from '../wire/message.ts';
import type { Encoded } from './broadcast-queue.ts';

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Messages for one packet. */
export interface OutgoingPacket {
  readonly to: Endpoint;
  readonly parts: readonly Encoded[];
}

/** Whole states are to be exchanged through a stream. What came back is put in as `state`. */
export interface Exchange {
  readonly to: Endpoint;
  readonly isJoin: boolean;
}

/** A node that did not answer packets is to be asked through a stream. That it answered is put in as `streamAck`. */
export interface StreamPing {
  readonly to: Endpoint;
  readonly node: string;
  readonly seqNo: number;
  readonly timeoutMs: number;
}

/** A member as others see it. */
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
  /** Somebody is there who was not. */
  | { readonly kind: 'join'; readonly member: MemberView }
  /** Somebody said good-bye. */
  | { readonly kind: 'leave'; readonly member: MemberView }
  /** Somebody did not answer, and nobody knew better in time. */
  | { readonly kind: 'fail'; readonly member: MemberView }
  /** Somebody's meta data or address changed. */
  | { readonly kind: 'update'; readonly member: MemberView }
  /** Somebody is suspected, by this peer first where `from` is its name. */
  | { readonly kind: 'suspect'; readonly member: MemberView; readonly from: string }
  /** This peer was thought dead or suspected, and has said that it is not. */
  | { readonly kind: 'refuted'; readonly incarnation: number }
  /** Two machines use one name. */
  | { readonly kind: 'conflict'; readonly member: MemberView; readonly other: Endpoint }
  /** A node was reached by stream, not by packets: something between here and there loses them. */
  | { readonly kind: 'packetsLost'; readonly member: MemberView }
  /** A state was not taken, because who sent it speaks another protocol. */
  | { readonly kind: 'incompatible'; readonly why: string }
  /** A message of users. */
  | { readonly kind: 'user'; readonly payload: Uint8Array; readonly from: Endpoint }
  /** The good-bye of this peer has been sent often enough. */
  | { readonly kind: 'left' };

/** What shall happen outside. */
export interface Effects {
  readonly packets: readonly OutgoingPacket[];
  readonly exchanges: readonly Exchange[];
  readonly streamPings: readonly StreamPing[];
  readonly events: readonly SwimEvent[];
}
