import type { Alive, NodeBelief, NodeState, Versions } from '../wire/message.ts';
import type { Deadline } from './deadlines.ts';
import type { Due } from './peer.ts';
import type { SuspicionTerms } from './suspicion.ts';

/** A suspicion that runs, and who shares it. */
export interface Suspicion {
  readonly terms: SuspicionTerms;
  readonly sinceMs: number;
  readonly from: Set<string>;
  deadline: Deadline<Due>;
}

/** What one peer knows of a node. Changed in place: a cluster of thousands has as many of these in each peer. */
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
  /** Who said last, from another address, that this is its name: a machine that came back, or one misnamed. */
  claim?: { readonly alive: Alive; readonly atMs: number } | undefined;
  /** Its position in the roster's list of the living or of the fallen. */
  place: number;
}

export function isGone(member: Member): boolean {
  return member.state === 'dead' || member.state === 'left';
}

/** What goes into an exchange of whole states. */
export function beliefOf(member: Member): NodeBelief {
  const { name, address, port, meta, incarnation, state, versions } = member;
  return { name, address, port, meta, incarnation, state, versions };
}
