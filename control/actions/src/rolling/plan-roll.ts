import { advanceTurn, isNodeMarked } from './advance-turn.ts';
import { beginTurns } from './begin-turns.ts';
import { type Effect, EFFECTS, type Outcome } from './effect.ts';
import { isUnderWay, type Roll, type Turn } from './roll.ts';
import type { RollSettings } from './roll-settings.ts';
import { heirOf, type Seen } from './seen.ts';
import { currentPhase, leftToPeople, nodesUnderWay, startable } from './startable-turns.ts';

export interface RollPlan {
  /** The journal as it is to be before any of the effects begins. */
  readonly roll: Roll;
  /** All that is to be under way now; what is not in this list any more is to be given up. */
  readonly effects: readonly Effect[];
}

export interface RollInput {
  readonly roll: Roll;
  readonly seen: Seen;
  /** Since the last plan. */
  readonly outcomes: readonly Outcome[];
  readonly settings: RollSettings;
  /** The person has refused a machine in this run: no other one begins. */
  readonly hasRefused: boolean;
  /** The person wants this process to end: what can be put back is, the rest is left to the next one. */
  readonly isStopping: boolean;
}

/**
 * What comes next in a rolling update: the journal as it is to be, and what is to be done. Pure: from the same journal and
 * the same world, every process comes to the same plan.
 */
export function planRoll({ roll, seen, outcomes, settings, hasRefused, isStopping }: RollInput): RollPlan {
  const isEnding = isStopping || roll.wish === 'abort';
  const around = { roll, seen, outcomes, settings, isEnding };
  const moved = roll.turns.map((turn) => advanceTurn(turn, around));
  const stays = isEnding || hasRefused || roll.wish === 'pause';
  const { turns, blocked } = stays ? { turns: moved } : beginTurns({ ...roll, turns: moved }, seen, settings);
  const byPeople = new Set(leftToPeople(turns, settings));
  const phase = currentPhase(turns, settings);
  const taken = nodesUnderWay(turns);
  const goesSoon = (turn: Turn): boolean =>
    !stays && !taken.has(turn.node) && (turn.role === phase || byPeople.has(turn));
  const effects = turns.flatMap((turn) => effectOf(turn, { goesSoon, seen, settings, prepares: !stays }) ?? []);
  const next = withBlock({ ...roll, turns: [...turns] }, blocked, seen.nowMs);
  const isDoing = effects.some((effect) => isWaitedFor(effect, { byPeople, seen, isEnding }));
  const conclusion = isDoing ? undefined : conclude(next, { seen, settings, isStopping: isStopping || hasRefused });
  if (conclusion === undefined) return { roll: next, effects };
  const left = conclusion === 'aborted' ? next.turns.map((turn) => withCordon(turn, seen, settings)) : next.turns;
  return { roll: { ...next, turns: left, state: conclusion, endedMs: seen.nowMs }, effects };
}

/** New machines have joined by then, as a rule; a person who ends a rolling update should not have to wait for longer. */
const JOINS_WITHIN_MS = 2 * 60_000;

interface Waiting {
  /** Machines that people end. */
  readonly byPeople: ReadonlySet<Turn>;
  readonly seen: Seen;
  readonly isEnding: boolean;
}

/**
 * Nodes are tainted beside everything else, until that is seen to be done; nothing waits for it, except where it is all that
 * happens to a machine. Putting a Node back into service is repeated in the same way, and may be refused each time.
 */
function isWaitedFor({ step, turn }: Effect, { byPeople, seen, isEnding }: Waiting): boolean {
  if (step === 'admit' && isEnding) return seen.nowMs < turn.sinceMs + JOINS_WITHIN_MS;
  return step !== 'taint' || byPeople.has(turn);
}

/** The new machine takes over a Node that may be cordoned; it can only be put back into service once that has happened. */
const leavesCordon = (turn: Turn, seen: Seen, { cloudOnly, makes }: RollSettings): boolean =>
  turn.step === 'validate' &&
  turn.node !== '' &&
  !cloudOnly &&
  (makes || heirOf(seen, turn) !== undefined) &&
  (seen.apiFailure !== undefined || isNodeMarked(turn, seen));

/** A machine under way when a rolling update is ended: what a person would not know otherwise is noted. */
function withCordon(turn: Turn, seen: Seen, settings: RollSettings): Turn {
  if (!leavesCordon(turn, seen, settings)) return turn;
  const why =
    seen.apiFailure === undefined
      ? `its Node ${turn.node} is still cordoned`
      : `its Node ${turn.node} may still be cordoned (${seen.apiFailure})`;
  const next = 'once the new machine has joined, `kopsctl rolling-update abort` puts it back into service';
  const seconds = Math.round((seen.nowMs - turn.sinceMs) / 1000);
  return { ...turn, failure: `${why}, ${seconds} s after its machine was replaced; ${next}` };
}

interface EffectAround {
  /** Whether a machine that waits is tainted meanwhile. */
  readonly goesSoon: (turn: Turn) => boolean;
  readonly seen: Seen;
  readonly settings: RollSettings;
  /** The rolling update is to go on: drained Nodes rest. */
  readonly prepares: boolean;
}

function effectOf(turn: Turn, { goesSoon, seen, settings, prepares }: EffectAround): Effect | undefined {
  const { node } = turn;
  const isNode = node !== '' && !settings.cloudOnly && turn.standing !== 'warm' && seen.apiFailure === undefined;
  const there = seen.nodes.find(({ name }) => name === node);
  switch (turn.step) {
    case 'delete': {
      const rests = prepares && !settings.cloudOnly && turn.standing !== 'warm' ? settings.postDrainDelayMs : 0;
      return seen.nowMs < turn.sinceMs + rests ? undefined : { step: 'delete', turn };
    }
    case 'validate': {
      // The new machine took the Node over, with all that was put on it for the old one.
      const heir = heirOf(seen, turn);
      const isHeirs = heir !== undefined && (heir.machineId === undefined || heir.machineId === there?.machineId);
      return isNode && isHeirs && there?.isMarked === true ? { step: 'admit', turn } : undefined;
    }
    case 'waiting':
    case 'surplus': {
      const isTainted = isNode && seen.nodes.length > 1 && there?.isMarked === false && goesSoon(turn);
      return isTainted ? { step: 'taint', turn } : undefined;
    }
    default: {
      const step = EFFECTS.find((one) => one === turn.step);
      return step === undefined ? undefined : { step, turn };
    }
  }
}

/** Notes since when nothing may go on; only while nothing is under way. */
function withBlock(roll: Roll, why: string | undefined, nowMs: number): Roll {
  const { blocked, ...rest } = roll;
  if (why === undefined || roll.turns.some((turn) => isUnderWay(turn))) return rest;
  return { ...rest, blocked: { sinceMs: blocked?.sinceMs ?? nowMs, why } };
}

interface Concluding {
  readonly seen: Seen;
  readonly settings: RollSettings;
  readonly isStopping: boolean;
}

/** How it ends, if it does now. */
function conclude(roll: Roll, { seen, settings, isStopping }: Concluding): Roll['state'] | undefined {
  if (isStopping) return 'stopped';
  const open = roll.turns.filter((turn) => isUnderWay(turn));
  if (roll.wish === 'abort') {
    const isAwaited = (turn: Turn): boolean =>
      turn.step !== 'validate' || (leavesCordon(turn, seen, settings) && seen.nowMs < turn.sinceMs + JOINS_WITHIN_MS);
    return open.some(isAwaited) ? undefined : 'aborted';
  }
  if (open.length > 0) return undefined;
  if (roll.wish === 'pause') return 'paused';
  const hasFailed = roll.turns.some(({ step }) => step === 'failed');
  const isAtEnd = startable(roll.turns, settings).length === 0;
  if (isAtEnd && (hasFailed || roll.blocked === undefined)) return hasFailed ? 'failed' : 'done';
  const isTooLong = roll.blocked !== undefined && seen.nowMs - roll.blocked.sinceMs >= settings.validationTimeoutMs;
  return isTooLong ? 'failed' : undefined;
}
