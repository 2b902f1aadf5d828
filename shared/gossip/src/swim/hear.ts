import type { Alive, Dead, NodeBelief, Suspect } from '../wire/message.ts';
import { beliefOf, isGone, type Member } from './member.ts';
import type { Peer } from './peer.ts';
import { MAX_FAMILIAR } from './settings.ts';
import { suspicionTerms, suspicionTimeoutMs } from './suspicion.ts';
import { areSane, incompatibility } from './versions.ts';

/**
 * Who suspects, where only a state says that somebody does. memberlist takes such a suspicion for its own, and by that
 * one peer's error is confirmed by all it exchanges states with; here all hearsay together confirms once.
 */
const HEARSAY = '';
/** A claim to a name is of use until the failure of who had it is found, also in a large cluster. */
const CLAIM_MS = 60_000;

/** How each piece of news changes what a peer believes (memberlist state.go: aliveNode, suspectNode, deadNode). */

export function hearAlive(peer: Peer, alive: Alive): void {
  if (!areSane(alive.versions)) return;
  if (alive.node === peer.self.name) return hearOwnAlive(peer, alive);
  const known = peer.roster.get(alive.node);
  if (known === undefined) return welcome(peer, alive);

  const hasMoved = known.address !== alive.address || known.port !== alive.port;
  if (hasMoved && !mayTakeName(peer, known)) {
    claimName(peer, known, alive);
    peer.tell({ kind: 'conflict', member: known, other: alive });
    return;
  }
  if (alive.incarnation <= known.incarnation && !hasMoved) return;
  const wasGone = isGone(known);
  const isChanged = hasMoved || Buffer.compare(known.meta, alive.meta) !== 0;
  const { address, port, meta, versions, incarnation } = alive;
  Object.assign(known, { address, port, meta, versions, incarnation, claim: undefined });
  endSuspicion(known);
  if (known.state !== 'alive') changeState(peer, known, 'alive');
  peer.spread(alive.node, alive);
  if (wasGone) {
    greet(peer, known);
    peer.tell({ kind: 'join', member: known });
  } else if (isChanged) peer.tell({ kind: 'update', member: known });
}

export function hearSuspect(peer: Peer, suspect: Suspect): void {
  if (suspect.node === peer.self.name) {
    defend(peer, suspect.incarnation);
    return;
  }
  const known = peer.roster.get(suspect.node);
  if (known === undefined || suspect.incarnation < known.incarnation) return;
  if (known.suspicion !== undefined) return confirm(peer, known, suspect);
  if (known.state !== 'alive') return;
  known.incarnation = suspect.incarnation;
  changeState(peer, known, 'suspect');
  const usual = suspicionTerms(peer.settings, peer.nodes);
  // That its name is claimed from elsewhere confirms it; those who know the claimant alone will not.
  const terms = isClaimed(peer, known) ? { ...usual, confirmationsWanted: 0 } : usual;
  const deadline = peer.deadlines.add(peer.nowMs + suspicionTimeoutMs(terms, 0), { kind: 'suspicion', member: known });
  known.suspicion = { terms, sinceMs: peer.nowMs, from: new Set([suspect.from]), deadline };
  remindLater(peer, known);
  peer.spread(suspect.node, suspect);
  peer.tell({ kind: 'suspect', member: known, from: suspect.from });
}

/**
 * Tells somebody that this peer holds it for suspected. The answer may have been given long ago and lost, and so may
 * have been the suspicion, where it was this peer that was cut off; without this it would become a death all the same.
 */
export function remind(peer: Peer, member: Member, sinceMs: number): void {
  if (member.suspicion?.sinceMs !== sinceMs) return;
  const { name: node, incarnation } = member;
  peer.send(member, { kind: 'suspect', node, incarnation, from: peer.self.name });
  remindLater(peer, member);
}

function remindLater(peer: Peer, member: Member): void {
  if (member.suspicion === undefined) return;
  const { sinceMs, terms } = member.suspicion;
  // At least once in the shortest suspicion.
  peer.deadlines.add(peer.nowMs + terms.minMs / 2, { kind: 'remind', member, sinceMs });
}

export function hearDead(peer: Peer, dead: Dead): void {
  if (dead.node === peer.self.name) {
    defend(peer, dead.incarnation);
    return;
  }
  const known = peer.roster.get(dead.node);
  if (known === undefined || dead.incarnation < known.incarnation) return;
  endSuspicion(known);
  if (isGone(known)) return;
  known.incarnation = dead.incarnation;
  const hasLeft = dead.node === dead.from;
  changeState(peer, known, hasLeft ? 'left' : 'dead');
  if (!hasLeft) takeOverLater(peer, known);
  peer.deadlines.add(peer.nowMs + peer.settings.gossipToTheDeadMs, {
    kind: 'reap',
    member: known,
    sinceMs: peer.nowMs,
  });
  peer.spread(dead.node, dead);
  peer.tell({ kind: hasLeft ? 'leave' : 'fail', member: known });
}

/**
 * Takes what another peer believes. Where everybody tells everybody, what the first one whom this peer joined says is
 * news to this peer alone: it greets all, and does not tell each of all the others once more. The dead are merely
 * suspected: whoever sent this may have been cut off, and the node itself shall have a chance to say that it lives.
 */
export function hearState(peer: Peer, nodes: readonly NodeBelief[], isJoin: boolean): void {
  peer.isBeingTold = isJoin && peer.roster.livingCount === 0 && nodes.length <= MAX_FAMILIAR;
  takeState(peer, nodes);
  // A greeting can be lost, so who this peer is is told as other news is too.
  if (peer.isBeingTold) peer.gossipSoon();
  peer.isBeingTold = false;
}

function takeState(peer: Peer, nodes: readonly NodeBelief[]): void {
  const here = [peer.self, ...peer.roster.all()].map(beliefOf);
  const why = incompatibility([...here, ...nodes]);
  if (why !== undefined) {
    peer.tell({ kind: 'incompatible', why });
    return;
  }
  for (const node of nodes) {
    const { name, incarnation } = node;
    // They have missed something, which they learn from this peer's own state.
    if (name === peer.self.name && incarnation < peer.self.incarnation) continue;
    switch (node.state) {
      case 'alive': {
        const { address, port, meta, versions } = node;
        hearAlive(peer, { kind: 'alive', node: name, incarnation, address, port, meta, versions });
        break;
      }
      case 'left':
        hearDead(peer, { kind: 'dead', node: name, incarnation, from: name });
        break;
      case 'suspect':
      case 'dead':
        hearSuspect(peer, { kind: 'suspect', node: name, incarnation, from: HEARSAY });
        break;
    }
  }
}

/** A suspicion has lasted as long as it may. */
export function condemn(peer: Peer, member: Member): void {
  if (member.state !== 'suspect') return;
  hearDead(peer, { kind: 'dead', node: member.name, incarnation: member.incarnation, from: peer.self.name });
}

/** Forgets a node that has been gone for long enough, if it has not been there again meanwhile. */
export function reap(peer: Peer, member: Member, sinceMs: number): void {
  const isGoneSince = isGone(member) && member.changedAtMs === sinceMs;
  if (isGoneSince && peer.roster.get(member.name) === member) peer.roster.forget(member);
}

/** What this peer says of itself. */
export function ownAlive(peer: Peer): Alive {
  const { name, address, port, meta, versions, incarnation } = peer.self;
  return { kind: 'alive', node: name, incarnation, address, port, meta, versions };
}

function hearOwnAlive(peer: Peer, alive: Alive): void {
  if (peer.isLeaving || alive.incarnation < peer.self.incarnation) return;
  const { self } = peer;
  const isSame =
    alive.incarnation === self.incarnation &&
    alive.address === self.address &&
    alive.port === self.port &&
    Buffer.compare(alive.meta, self.meta) === 0;
  if (isSame) return;
  // Something of an earlier life of this node, or of another machine with its name.
  refute(peer, alive.incarnation);
}

/** This peer is said to be dead or suspected. Who has only missed that it is not is told so, and nobody else. */
function defend(peer: Peer, accused: number): void {
  if (peer.isLeaving) return;
  if (accused >= peer.self.incarnation) refute(peer, accused);
  else if (peer.hearingFrom !== undefined) peer.send(peer.hearingFrom, ownAlive(peer));
}

function refute(peer: Peer, accused: number): void {
  peer.self.incarnation = Math.max(peer.self.incarnation, accused) + 1;
  peer.awareness.add(1);
  peer.spread(peer.self.name, ownAlive(peer));
  peer.tell({ kind: 'refuted', incarnation: peer.self.incarnation });
}

function welcome(peer: Peer, alive: Alive): void {
  const { node: name, address, port, meta, versions, incarnation } = alive;
  const member: Member = {
    name,
    address,
    port,
    meta,
    versions,
    incarnation,
    state: 'alive',
    changedAtMs: peer.nowMs,
    suspicion: undefined,
    place: 0,
  };
  peer.roster.add(member);
  if (!peer.isBeingTold) peer.spread(name, alive);
  greet(peer, member);
  peer.tell({ kind: 'join', member });
}

/**
 * Says hello to a newcomer: what was told just before it was known has passed it by, so where all come at once, some
 * would not hear of each other. In a large cluster that would be too many to greet, and exchanges of states do it.
 */
function greet(peer: Peer, newcomer: Member): void {
  // Who speaks to this peer knows it.
  if (peer.hearingFrom?.address === newcomer.address && peer.hearingFrom.port === newcomer.port) return;
  if (peer.nodes <= MAX_FAMILIAR && !peer.isLeaving) peer.sendAlone(newcomer, ownAlive(peer));
}

/** Somebody says from another address that a node's name is its own: it may be what the node is called now. */
function claimName(peer: Peer, member: Member, alive: Alive): void {
  member.claim = { alive, atMs: peer.nowMs };
  if (member.state === 'dead') takeOverLater(peer, member);
  const { suspicion } = member;
  if (suspicion === undefined || suspicion.terms.confirmationsWanted === 0) return;
  suspicion.deadline.isCancelled = true;
  const terms = { ...suspicion.terms, confirmationsWanted: 0 };
  const deadline = peer.deadlines.add(suspicion.sinceMs + terms.minMs, { kind: 'suspicion', member });
  member.suspicion = { ...suspicion, terms, deadline };
}

/** Who claims the name of a dead node has it as soon as it may, and need not say so again just then. */
export function takeOver(peer: Peer, member: Member): void {
  if (member.state === 'dead' && isClaimed(peer, member) && member.claim !== undefined) {
    hearAlive(peer, member.claim.alive);
  }
}

function takeOverLater(peer: Peer, member: Member): void {
  if (!isClaimed(peer, member)) return;
  // A millisecond more, for times have fractions: at the moment itself it could be too early, and would be tried for ever.
  peer.deadlines.add(member.changedAtMs + peer.settings.deadNodeReclaimMs + 1, { kind: 'takeOver', member });
}

function isClaimed(peer: Peer, { claim }: Member): boolean {
  return claim !== undefined && peer.nowMs - claim.atMs < CLAIM_MS;
}

function mayTakeName(peer: Peer, known: Member): boolean {
  if (known.state === 'left') return true;
  return known.state === 'dead' && peer.nowMs - known.changedAtMs >= peer.settings.deadNodeReclaimMs;
}

function confirm(peer: Peer, member: Member, suspect: Suspect): void {
  const { suspicion } = member;
  if (suspicion === undefined || suspicion.from.has(suspect.from)) return;
  if (suspicion.from.size > suspicion.terms.confirmationsWanted) return;
  suspicion.from.add(suspect.from);
  const atMs = suspicion.sinceMs + suspicionTimeoutMs(suspicion.terms, suspicion.from.size - 1);
  suspicion.deadline.isCancelled = true;
  suspicion.deadline = peer.deadlines.add(atMs, { kind: 'suspicion', member });
  peer.spread(suspect.node, suspect);
}

function endSuspicion(member: Member): void {
  if (member.suspicion === undefined) return;
  member.suspicion.deadline.isCancelled = true;
  member.suspicion = undefined;
}

function changeState(peer: Peer, member: Member, state: Member['state']): void {
  member.state = state;
  member.changedAtMs = peer.nowMs;
  peer.roster.moved(member);
}
