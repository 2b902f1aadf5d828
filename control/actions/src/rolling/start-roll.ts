import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { describeOutdated, type OutdatedMachine } from '../outdated/plan-outdated.ts';
import { isOver, isUnderWay, type Roll, type Step, type Turn } from './roll.ts';

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
  const left = (goesOn?.turns ?? []).flatMap((turn) => {
    const isChosen = chosen.some(({ machine }) => machine.id === turn.id);
    return resumed(turn, { groups, makes, abandons, nowMs, isChosen }) ?? [];
  });
  const begun = groups.reduce<readonly Turn[]>((turns, group) => oneToTry(turns, group, nowMs), left);
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

interface Resuming extends Pick<Start, 'groups' | 'makes' | 'abandons' | 'nowMs'> {
  /** The person wants its machine to be replaced now. */
  readonly isChosen: boolean;
}

/**
 * A turn of a run that ended. Undefined where its machine is as before: what waits is chosen newly. One that is not to be
 * replaced any more is put back: the spec may have been changed, and its Node still be cordoned or tainted.
 */
function resumed(turn: Turn, { groups, makes, abandons, nowMs, isChosen }: Resuming): Turn | undefined {
  const { failure: _failure, leadsTo: _leadsTo, ...rest } = turn;
  const machines = groups.flatMap((group) => group.machines);
  const machine = machines.find(({ id }) => id === turn.id);
  const putBack: Turn = { ...rest, step: 'release', leadsTo: 'done', sinceMs: nowMs };
  if (turn.step === 'failed') {
    if (machine !== undefined && abandons) return { ...rest, step: 'waiting', sinceMs: nowMs };
    if (machine !== undefined) return isChosen ? undefined : putBack;
    const hasHeir = !makes || machines.some(({ name }) => name === turn.name);
    return { ...rest, step: hasHeir ? 'validate' : 'make', sinceMs: nowMs, passes: 0 };
  }
  if (turn.step === 'waiting' || turn.step === 'ask') {
    if (abandons) return { ...turn, step: 'waiting' };
    return machine?.isCurrent === true && !isChosen ? putBack : undefined;
  }
  // Its time counts from now: the one who waited was away.
  return turn.step === 'validate' ? { ...turn, sinceMs: nowMs, passes: 0 } : turn;
}

/** There is a way back from these. */
const REVERSIBLE: readonly Step[] = ['cordon', 'deregister', 'drain'];

/**
 * Where several machines of a group are under way and none is current, the spec was changed since it was proven to work: one
 * of them tries it, and the others are put back and wait.
 */
function oneToTry(turns: readonly Turn[], { name, role, machines }: FleetGroup, nowMs: number): readonly Turn[] {
  if (role === 'Bastion' || machines.some(({ isCurrent, running }) => isCurrent && running)) return turns;
  const underWay = turns.filter(
    (turn) => turn.instanceGroup === name && isUnderWay(turn) && turn.step !== 'release' && turn.standing !== 'warm',
  );
  const first = underWay.find(({ step }) => !REVERSIBLE.includes(step)) ?? underWay[0];
  const others = new Set(underWay.filter((turn) => turn !== first && REVERSIBLE.includes(turn.step)));
  return turns.map((turn): Turn =>
    others.has(turn) ? { ...turn, step: 'release', leadsTo: 'waiting', sinceMs: nowMs, passes: 0 } : turn,
  );
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
