import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { isOver, isUnderWay, isUntouched, type Roll, type Turn } from '../rolling/roll.ts';
import type { RollWishes } from '../rolling/settings-of.ts';
import type { Seen } from '../rolling/seen.ts';
import { isUnfinished, startRoll } from '../rolling/start-roll.ts';
import type { UnwellMachine } from './plan-healing.ts';

/** A machine that is unwell may still be doing what it was told to stop: for its pods to end, its kubelet has to answer. */
export const HEAL_DRAIN_MS = 30_000;

/** One machine is replaced, whether its pods can leave it or not: as a rule its kubelet does not answer. */
export const HEAL_WISHES: RollWishes = {
  budget: '1',
  // The annotation asks for its replacement, whatever happens to its group in rolling updates.
  ofOne: { surges: true },
  cloudOnly: false,
  interactive: false,
  postDrainDelayMs: 0,
  validateCount: 2,
  validationTimeoutMs: 15 * 60_000,
  failOnDrainError: false,
  failOnValidateError: true,
  intervalsMs: { Bastion: 0, ControlPlane: 0, APIServer: 0, Node: 0 },
};

export interface HealStart {
  /** The journal as it was left; that of a person's rolling update only where it is finished. */
  readonly former: Roll | undefined;
  /** Absent where only what was begun is finished. */
  readonly replace: UnwellMachine | undefined;
  readonly groups: readonly FleetGroup[];
  readonly makes: boolean;
  readonly id: string;
  readonly nowMs: number;
}

/**
 * The journal with which the replacement of a machine begins, or with which what was begun is finished: then no other one
 * begins. For a machine that is gone, nothing has to be ended. Pure.
 */
export function healRoll({ replace, former: left, ...about }: HealStart): Roll {
  // One that is over may have left machines to people, which is for the next rolling update.
  const former = isUnfinished(left) ? takenFrom(left, about.groups) : undefined;
  const start = { ...about, former, cloudOnly: HEAL_WISHES.cloudOnly, abandons: false, purpose: 'heal' } as const;
  const chosen = replace === undefined ? [] : [{ machine: replace.machine, reason: 'unready' as const }];
  const roll = startRoll({ ...start, chosen });
  const isNew = ({ id, step }: Turn): boolean => id === replace?.machine.id && step === 'waiting';
  const isFree = roll.turns.every((turn) => isOver(turn) || isNew(turn));
  if (replace === undefined || !isFree) return startRoll({ ...start, chosen: [] });
  const turns = roll.turns.map((turn) => {
    if (turn.id !== replace.machine.id) return turn;
    return { ...turn, why: replace.why, ...(replace.isGone && { step: 'make' as const }) };
  });
  return { ...roll, turns };
}

/**
 * What is finished of a rolling update that was left. If it was a person's, that is only what failed, and Nodes that are marked
 * for nothing because their machines are current: whether a machine goes that still serves beside the one in its place is for people to
 * decide. Pure.
 */
function takenFrom(left: Roll, groups: readonly FleetGroup[]): Roll {
  if (left.purpose === 'heal') return left;
  const machines = groups.flatMap((group) => group.machines);
  const isToPutBack = (turn: Turn): boolean =>
    machines.some(({ id, isCurrent, standing }) => id === turn.id && isCurrent && standing !== 'detached');
  const turns = left.turns.filter(
    (turn) => turn.step === 'failed' || isUnderWay(turn) || (isUntouched(turn) && isToPutBack(turn)),
  );
  return { ...left, turns };
}

/**
 * What a rolling update that heals sees. It begins because the cluster is not valid, so that does not keep it from beginning.
 * Afterwards the cluster has to be valid, except for machines that were unwell before, whose turn comes later. Pure.
 */
export function seenByHealer(seen: Seen, roll: Roll | undefined): Seen {
  if (roll === undefined || roll.turns.every((turn) => isUntouched(turn))) return { ...seen, faults: [] };
  const own = new Set(roll.turns.map(({ node }) => node));
  const sinceMs = Math.max(...roll.turns.filter((turn) => isUnderWay(turn)).map((turn) => turn.sinceMs));
  // Steps are stamped by the clock of this computer, and Nodes by those of control planes: only how long ago can be compared.
  const { nowMs, apiNowMs = -Infinity } = seen;
  const others = seen.nodes.filter(
    ({ name, unreadySinceMs = Infinity }) => !own.has(name) && apiNowMs - unreadySinceMs > nowMs - sinceMs,
  );
  const unwell = new Set(others.map(({ name }) => name));
  return { ...seen, faults: seen.faults.filter(({ node }) => node === undefined || !unwell.has(node)) };
}

/** A machine that was to be replaced has not been, or the cluster did not become valid with the new one. Pure. */
export const hasFailed = ({ state, turns }: Roll): boolean =>
  state !== 'done' || turns.some(({ step }) => step !== 'done');
