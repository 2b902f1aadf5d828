import { isUnderWay, isUntouched, type Turn } from './roll.ts';
import type { RollSettings } from './roll-settings.ts';

/** Bastions first, then what everything else depends on, as in kops. */
const PHASES = ['Bastion', 'ControlPlane', 'APIServer', 'Node'] as const;

/** The role whose machines are replaced now. Those of a group that a failure stopped keep nobody waiting. */
export function currentPhase(turns: readonly Turn[], settings: RollSettings): Turn['role'] | undefined {
  const open = [...startable(turns, settings), ...turns.filter((turn) => isUnderWay(turn))];
  return PHASES.find((role) => open.some((turn) => turn.role === role));
}

/** Machines that may still go. Pure. */
export const startable = (turns: readonly Turn[], settings: RollSettings): readonly Turn[] =>
  notStopped(turns).filter((turn) => !isLeft(turn, turns, settings));

/**
 * The Nodes of machines under way. A new machine that has one of them may be outdated as well: what is done for its own turn
 * would undo what is done for that of the machine before it, so its turn comes after that. Pure.
 */
export const nodesUnderWay = (turns: readonly Turn[]): ReadonlySet<string> =>
  new Set(turns.flatMap((turn) => (isUnderWay(turn) && turn.node !== '' ? [turn.node] : [])));

/**
 * Machines that people end, and whose role has had its turn: all that is done to them from now on is that they are tainted.
 * Pure.
 */
export function leftToPeople(turns: readonly Turn[], settings: RollSettings): readonly Turn[] {
  const phase = currentPhase(turns, settings);
  const upTo = phase === undefined ? PHASES.length : PHASES.indexOf(phase);
  return notStopped(turns).filter((turn) => PHASES.indexOf(turn.role) <= upTo && isLeft(turn, turns, settings));
}

/** Machines that nothing has begun with: neither their group nor everything was stopped by a failure. */
function notStopped(turns: readonly Turn[]): readonly Turn[] {
  const failed = turns.filter(({ step }) => step === 'failed');
  if (failed.some((turn) => stopsAll(turn))) return [];
  const groups = new Set(failed.map(({ instanceGroup }) => instanceGroup));
  return turns.filter((turn) => isUntouched(turn) && !groups.has(turn.instanceGroup));
}

/** Machines that are only prepared: people end them. All that may still happen to one is that it is detached. */
export function isLeft(turn: Turn, turns: readonly Turn[], settings: RollSettings): boolean {
  const { instanceGroup: group, step, standing } = turn;
  if (!isOnlyPrepared(group, settings) || standing === 'warm' || !isUntouched(turn) || step === 'detach') return false;
  return !isDetachable(turn) || sparesOf(group, turns).length >= (settings.rules.get(group)?.maxSurge ?? 0);
}

export const isOnlyPrepared = (group: string, { rules }: RollSettings): boolean =>
  rules.get(group)?.drainAndTerminate === false;

/** Its cloud has not refused that yet. */
export const isDetachable = ({ step, standing, failure, inPlace }: Turn): boolean =>
  step === 'waiting' && standing === 'counted' && failure === undefined && inPlace === undefined;

export const sparesOf = (group: string, turns: readonly Turn[]): readonly Turn[] =>
  turns.filter((turn) => turn.instanceGroup === group && isSpare(turn));

/** It serves beside the machines that its group wants. */
const isSpare = ({ standing, step }: Turn): boolean =>
  step === 'detach' || (standing === 'detached' && step !== 'done' && step !== 'validate');

/** A control plane or a cluster that does not become valid endangers everything; any other failure stops its group. */
const stopsAll = ({ role, failure = '' }: Turn): boolean =>
  role === 'ControlPlane' || role === 'Bastion' || failure.startsWith('the cluster is not valid');
