import type { Alive, Dead, NodeBelief, Suspect } from '../wire/message.ts';
import { beliefOf, isGone, type Member } from './member.ts';
import type { Peer } from './peer.ts';
import { MAX_FAMILIAR, MAX_MEMBERS } from './settings.ts';
import { suspicionTerms, suspicionTimeoutMs } from './suspicion.ts';
import { areSane, incompatibility } from './versions.ts';

/**
 * The `from` of a suspicion that arrived in an exchanged state. memberlist counts such a suspicion as the receiver's
 * own, so the error of one peer is confirmed by each peer it exchanges states with. Here all of them together count as
 * one confirmation.
 */
const HEARSAY = '';
/**
 * How long a claim to a name is kept: long enough to detect the failure of the previous owner, even in a large cluster.
 */
const CLAIM_MS = 60_000;

/** How each message changes what a peer believes (memberlist state.go: aliveNode, suspectNode, deadNode). */

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
  // A claim to the name from another address confirms the suspicion. No other confirmation will come from peers that
  // know only the claimant.
  const terms = isClaimed(peer, known) ? { ...usual, confirmationsWanted: 0 } : usual;
  const deadline = peer.deadlines.add(peer.nowMs + suspicionTimeoutMs(terms, 0), { kind: 'suspicion', member: known });
  known.suspicion = { terms, sinceMs: peer.nowMs, from: new Set([suspect.from]), deadline };
  remindLater(peer, known);
  peer.spread(suspect.node, suspect);
  peer.tell({ kind: 'suspect', member: known, from: suspect.from });
}

/**
 * Tells a suspected member that this peer suspects it. Its refutation may have been lost, and so may the suspicion
 * itself if this peer was cut off; without the reminder the member would be declared dead although it is alive.
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
  // At least one reminder fits into the shortest suspicion.
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
 * Merges the state of another peer. When this peer joins a small cluster, the first state it receives is new only to
 * itself: it greets each member and does not rebroadcast what it learned. Dead nodes are only suspected, because the
 * sender may have been cut off and the node must get a chance to refute.
 */
export function hearState(peer: Peer, nodes: readonly NodeBelief[], isJoin: boolean): void {
  peer.isBeingTold = isJoin && peer.roster.livingCount === 0 && nodes.length <= MAX_FAMILIAR;
  takeState(peer, nodes);
  // A greeting can be lost, so this peer also gossips its own alive message.
  if (peer.isBeingTold) peer.gossipSoon();
  peer.isBeingTold = false;
}

/**
 * memberlist refuses the whole state if the versions of any two nodes in it do not fit together (verifyProtocol). Here
 * only the nodes that do not fit this peer are left out: anybody with the key can make up one.
 */
function takeState(peer: Peer, nodes: readonly NodeBelief[]): void {
  const here = beliefOf(peer.self);
  for (const node of nodes) {
    const { name, incarnation } = node;
    // What is said about this peer is answered in any case.
    const why = name === here.name ? undefined : incompatibility([here, node]);
    if (why !== undefined) {
      peer.tell({ kind: 'incompatible', node: name, why });
      continue;
    }
    // The sender has an older incarnation of this peer. It receives the current one with this peer's state.
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

/** The suspicion timed out: declares the member dead. */
export function declareDead(peer: Peer, member: Member): void {
  if (member.state !== 'suspect') return;
  hearDead(peer, { kind: 'dead', node: member.name, incarnation: member.incarnation, from: peer.self.name });
}

/** Forgets a node that has been gone since the given time. */
export function reap(peer: Peer, member: Member, sinceMs: number): void {
  const isGoneSince = isGone(member) && member.changedAtMs === sinceMs;
  if (isGoneSince && peer.roster.get(member.name) === member) peer.roster.forget(member);
}

/** The alive message of this peer. */
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
  // The message is from before this peer restarted, or from another machine with its name.
  refute(peer, alive.incarnation);
}

/**
 * This peer is suspected or declared dead. If the accuser only missed an earlier refutation, it gets the current
 * incarnation directly and nothing is broadcast.
 */
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
  if (peer.roster.count >= MAX_MEMBERS) {
    peer.tell({ kind: 'tooMany', node: alive.node });
    return;
  }
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
 * Sends this peer's alive message to a new member. Broadcasts sent just before the member was known have missed it, so
 * peers that join at the same time might not hear of each other. In a large cluster that would be too many packets, and
 * exchanges of states repair it instead.
 */
function greet(peer: Peer, newcomer: Member): void {
  // The sender of this message knows this peer already.
  if (peer.hearingFrom?.address === newcomer.address && peer.hearingFrom.port === newcomer.port) return;
  if (peer.nodes <= MAX_FAMILIAR && !peer.isLeaving) peer.sendAlone(newcomer, ownAlive(peer));
}

/** A peer at another address claims the name of this node. It may be the same machine after a restart. */
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

/**
 * Gives the name of a dead node to its claimant as soon as that is allowed, without waiting for another alive message.
 */
export function takeOver(peer: Peer, member: Member): void {
  if (member.state === 'dead' && isClaimed(peer, member) && member.claim !== undefined) {
    hearAlive(peer, member.claim.alive);
  }
}

function takeOverLater(peer: Peer, member: Member): void {
  if (!isClaimed(peer, member)) return;
  // One millisecond later, because times have fractions: a timer that fires a fraction too early would be set again and
  // again.
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
