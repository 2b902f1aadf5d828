import type { Alive, NodeBelief, NodeState, Versions } from '../wire/message.ts';
import type { Deadline } from './deadlines.ts';
import type { SuspicionTerms } from './suspicion.ts';

/** What the deadlines of a peer are for. */
export type Due =
  | { readonly kind: 'gossip' | 'probe' | 'pushPull' | 'pushPullOnce' }
  | { readonly kind: 'probeTimeout' | 'probeEnd' | 'relayEnd'; readonly seqNo: number }
  | { readonly kind: 'suspicion' | 'takeOver'; readonly member: Member }
  | { readonly kind: 'reap' | 'remind'; readonly member: Member; readonly sinceMs: number };

/** A running suspicion. `from` names the peers that share it. */
export interface Suspicion {
  readonly terms: SuspicionTerms;
  readonly sinceMs: number;
  readonly from: Set<string>;
  deadline: Deadline<Due>;
}

/** What a peer knows of a node. Mutable, because each peer of a large cluster has thousands of these. */
export interface Member {
  readonly name: string;
  address: string;
  port: number;
  meta: Uint8Array;
  versions: Versions;
  incarnation: number;
  state: NodeState;
  changedAtMs: number;
  suspicion: Suspicion | undefined;
  /**
   * The latest alive message for this name from another address: the machine itself after a restart, or another one
   * with the same name.
   */
  claim?: { readonly alive: Alive; readonly atMs: number } | undefined;
  /** Its index in the roster's list of living or of gone members. */
  place: number;
}

export function isGone(member: Member): boolean {
  return member.state === 'dead' || member.state === 'left';
}

/** The entry of a member in an exchange of states. */
export function beliefOf(member: Member): NodeBelief {
  const { name, address, port, meta, incarnation, state, versions } = member;
  return { name, address, port, meta, incarnation, state, versions };
}
