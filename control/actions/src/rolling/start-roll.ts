import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { describeOutdated, type OutdatedMachine } from '../outdated/plan-outdated.ts';
import { isOver, isUnderWay, type Roll, type Turn } from './roll.ts';

export interface Start {
  /** The journal of the latest rolling update. */
  readonly former: Roll | undefined;
  /** What is to be replaced, as chosen by the person. */
  readonly chosen: readonly OutdatedMachine[];
  readonly groups: readonly FleetGroup[];
  readonly makes: boolean;
  /** It is only put back what can be: nothing new begins. */
  readonly abandons: boolean;
  readonly purpose?: Roll['purpose'];
  /** Of a new rolling update. */
  readonly id: string;
  readonly nowMs: number;
}

/** Whether a rolling update was left before its end. Everything that it had begun is finished first. */
export const isUnfinished = (roll: Roll | undefined): roll is Roll =>
  roll !== undefined &&
  (roll.state !== 'done' || roll.turns.some((turn) => isUnderWay(turn))) &&
  roll.turns.some((turn) => turn.step !== 'done');

/**
 * The journal with which a run begins: that of a new rolling update, or of one that was cut off. Machines under way stay
 * where they are, those that failed are tried once more, and what waits is what the person has chosen now. Pure.
 */
export function startRoll({ former, chosen, groups, makes, abandons, purpose, id, nowMs }: Start): Roll {
  const goesOn = isUnfinished(former) ? former : undefined;
  const begun = (goesOn?.turns ?? []).flatMap((turn) => resumed(turn, { groups, makes, abandons, nowMs }) ?? []);
  const known = new Set(begun.filter((turn) => !isOver(turn)).map((turn) => turn.id));
  const waiting = chosen.filter(({ machine }) => !known.has(machine.id)).map((one) => newTurn(one, nowMs));
  const replaced = new Set(waiting.map((turn) => turn.id));
  return {
    apiVersion: 'kopsctl.io/v1',
    kind: 'RollingUpdate',
    id: goesOn?.id ?? id,
    ...(purpose !== undefined && { purpose }),
    startedMs: goesOn?.startedMs ?? nowMs,
    state: 'rolling',
    ...(abandons && { wish: 'abort' }),
    turns: [...begun.filter((turn) => !replaced.has(turn.id)), ...waiting],
  };
}

/** A turn of a run that ended. Undefined where it had not touched its machine: what waits is chosen newly. */
function resumed(
  turn: Turn,
  { groups, makes, abandons, nowMs }: Pick<Start, 'groups' | 'makes' | 'abandons' | 'nowMs'>,
): Turn | undefined {
  const { failure: _failure, leadsTo: _leadsTo, ...rest } = turn;
  const machines = groups.flatMap((group) => group.machines);
  const isThere = machines.some((machine) => machine.id === turn.id);
  if (turn.step === 'failed') {
    if (isThere) return abandons ? { ...rest, step: 'waiting', sinceMs: nowMs } : undefined;
    const hasHeir = !makes || machines.some(({ name }) => name === turn.name);
    return { ...rest, step: hasHeir ? 'validate' : 'make', sinceMs: nowMs, passes: 0 };
  }
  if (turn.step === 'waiting' || turn.step === 'ask') return abandons ? { ...turn, step: 'waiting' } : undefined;
  // Its time counts from now: the one who waited was away.
  return turn.step === 'validate' ? { ...turn, sinceMs: nowMs, passes: 0 } : turn;
}

const newTurn = (outdated: OutdatedMachine, nowMs: number): Turn => {
  const { id, name, nodeName, instanceGroup, role, address, standing } = outdated.machine;
  const why = describeOutdated(outdated);
  return {
    id,
    name,
    node: nodeName,
    instanceGroup,
    role,
    address,
    why,
    step: 'waiting',
    sinceMs: nowMs,
    standing,
    passes: 0,
    ...(outdated.inPlace && { inPlace: outdated.inPlace }),
  };
};
