import type { FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import { describeOutdated, FORCED, type OutdatedMachine } from '../outdated/plan-outdated.ts';
import { firstStep } from './advance-turn.ts';
import { isOver, isUnderWay, type Roll, type Step, type Turn } from './roll.ts';

export interface Start {
  /** The journal of the latest rolling update. */
  readonly former: Roll | undefined;
  /** What is to be replaced, as chosen by the person. */
  readonly chosen: readonly OutdatedMachine[];
  readonly groups: readonly FleetGroup[];
  /** The hash of the plan that machines of a group are made from now, by the group's name. */
  readonly plans?: ReadonlyMap<string, string>;
  readonly makes: boolean;
  /** The Kubernetes API is not used. */
  readonly cloudOnly: boolean;
  /** What can be put back is put back, and nothing else: nothing new begins. */
  readonly abandons: boolean;
  readonly purpose?: Roll['purpose'];
  readonly asked?: Roll['asked'];
  /** The id of a new rolling update. */
  readonly id: string;
  readonly nowMs: number;
}

/** Whether a rolling update was left unfinished. Everything that it had begun is finished first. */
export const isUnfinished = (roll: Roll | undefined): roll is Roll =>
  roll !== undefined &&
  (roll.state !== 'done' || roll.turns.some((turn) => isUnderWay(turn))) &&
  roll.turns.some((turn) => turn.step !== 'done');

/**
 * Whether somebody would miss a rolling update that was left unfinished. One that failed or was ended, and has nothing
 * under way, keeps nobody waiting.
 */
export const isMissed = (roll: Roll | undefined): roll is Roll =>
  isUnfinished(roll) &&
  ((roll.state !== 'failed' && roll.state !== 'aborted') || roll.turns.some((turn) => isUnderWay(turn)));

/**
 * The machines that a rolling update left to people and whose Nodes are tainted for nothing: they are current by now, such as
 * where the spec is as it was before, or another machine has got their Node. Those that a person forced were current from the
 * outset. Pure.
 */
export function taintedForNothing(roll: Roll | undefined, groups: readonly FleetGroup[]): readonly Turn[] {
  const machines = groups.flatMap((group) => group.machines);
  const isForNothing = ({ id, node, why }: Turn): boolean =>
    machines.some((one) => (one.id === id ? one.isCurrent && why !== FORCED : node !== '' && one.nodeName === node));
  return (roll?.turns ?? []).filter((turn) => turn.step === 'waiting' && isForNothing(turn));
}

/**
 * The journal with which a run begins: that of a new rolling update, or of one that was cut off. Machines under way stay
 * where they are, machines that failed are tried once more, and what waits is what the person has chosen now. Pure.
 */
export function startRoll(start: Start): Roll {
  const { former, groups, abandons, purpose, asked, id, nowMs } = start;
  const goesOn = isUnfinished(former) ? former : undefined;
  const chosen = withoutForcedAgain(former, start.chosen);
  const left = (goesOn?.turns ?? taintedForNothing(former, groups)).flatMap((turn) => {
    const choice = chosen.find(({ machine }) => machine.id === turn.id);
    return resumed(turn, { ...start, choice, heals: goesOn?.purpose === 'heal' }) ?? [];
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
    ...(asked !== undefined && { asked }),
    startedMs: goesOn?.startedMs ?? nowMs,
    state: 'rolling',
    ...(abandons && { wish: 'abort' }),
    turns: [...begun.filter((turn) => !replaced.has(turn.id)), ...waiting],
  };
}

/**
 * What a person has chosen, without the machines that a forced rolling update that is continued has made already: of the
 * groups that it is about, only the machines that it still has to replace. Pure.
 */
export function withoutForcedAgain(
  former: Roll | undefined,
  chosen: readonly OutdatedMachine[],
): readonly OutdatedMachine[] {
  // Machines that were outdated as well say so instead.
  const isForced = former?.asked?.force === true || former?.turns.some(({ why }) => why === FORCED) === true;
  if (!isUnfinished(former) || !isForced) return chosen;
  const groups = new Set(former.turns.map(({ instanceGroup }) => instanceGroup));
  const open = new Set(former.turns.filter(({ step }) => step !== 'done').map((turn) => turn.id));
  return chosen.filter(
    ({ reason, machine }) => reason !== 'forced' || !groups.has(machine.instanceGroup) || open.has(machine.id),
  );
}

interface Resuming extends Pick<Start, 'groups' | 'plans' | 'makes' | 'cloudOnly' | 'abandons' | 'nowMs'> {
  /** Present where the person wants its machine to be replaced, or changed, now. */
  readonly choice: OutdatedMachine | undefined;
  /** The run that ended replaced a machine that was not Ready. */
  readonly heals: boolean;
}

/**
 * A turn of a run that ended. Undefined where its machine is as before: what waits is chosen again. One that is not to be
 * replaced any more is put back: the spec may have been changed, and its Node still be cordoned or tainted.
 */
function resumed(turn: Turn, resuming: Resuming): Turn | undefined {
  const { groups, makes, abandons, nowMs, choice, heals } = resuming;
  const { failure: _failure, leadsTo: _leadsTo, ...rest } = turn;
  const isChosen = choice !== undefined;
  const machines = groups.flatMap((group) => group.machines);
  const machine = machines.find(({ id }) => id === turn.id);
  const putBack: Turn = { ...rest, step: 'release', leadsTo: 'done', sinceMs: nowMs };
  if (machine === undefined && makes && isBegun(turn) && !machines.some(({ name }) => name === turn.name)) {
    // Without a machine of that name, it is made, or made once more. If its group wants none any more, nothing is left to do.
    const isMissing = groups.some(({ missing = [] }) => missing.some(({ name }) => name === turn.name));
    return isMissing ? { ...rest, step: 'make', sinceMs: nowMs, passes: 0 } : undefined;
  }
  if (turn.step === 'failed') {
    if (machine !== undefined && abandons) return { ...rest, step: 'waiting', sinceMs: nowMs };
    if (machine !== undefined) return isChosen ? undefined : putBack;
    return { ...rest, step: 'validate', sinceMs: nowMs, passes: 0 };
  }
  // The spec may be as it was before.
  const isUnwanted = machine?.isCurrent === true && !isChosen;
  if (turn.step === 'waiting' || turn.step === 'ask') {
    if (abandons) return { ...turn, step: 'waiting' };
    return isUnwanted || machine === undefined ? putBack : undefined;
  }
  if (turn.step === 'detach' && machine !== undefined && abandons) return { ...turn, step: 'waiting', sinceMs: nowMs };
  // What heals replaces machines whatever they were made from.
  if (isUnwanted && !abandons && !heals && isReversible(turn, machine)) return putBack;
  const current = abandons || turn.inPlace === undefined ? turn : withNewest(turn, turn.inPlace, resuming);
  // Its time counts from now: the process that waited was away. What that one noted may be over.
  return current?.step === 'validate' ? { ...current, sinceMs: nowMs, passes: 0, failure: undefined } : current;
}

const isBegun = (turn: Turn): boolean => turn.step === 'failed' || isUnderWay(turn);

/**
 * A machine under way that was to become what a plan says: another plan may have been applied since, and only the newest
 * counts. Where it cannot become that, it is replaced.
 */
function withNewest(
  turn: Turn,
  former: NonNullable<Turn['inPlace']>,
  { groups, plans, cloudOnly, nowMs, choice }: Resuming,
): Turn | undefined {
  const { inPlace: _former, ...rest } = turn;
  const newest: Turn = { ...rest, ...(choice?.inPlace && { inPlace: choice.inPlace }) };
  const machine = groups.flatMap(({ machines }) => machines).find(({ id }) => id === turn.id);
  switch (turn.step) {
    case 'cordon':
    case 'deregister':
    case 'drain':
      // Nothing was changed on it yet.
      return choice === undefined && machine !== undefined
        ? { ...turn, step: 'release', leadsTo: 'done', sinceMs: nowMs }
        : newest;
    case 'converge':
      // It may have become what that plan says although its cloud has it as it was: then even the plan from before is new.
      if (choice?.inPlace?.to === former.to) return newest;
      if (choice === undefined && plans?.get(turn.instanceGroup) === former.to) return turn;
      return { ...newest, step: firstStep(newest, { cloudOnly }), sinceMs: nowMs };
    case 'release':
      return choice === undefined ? turn : { ...newest, leadsTo: 'waiting' };
    case 'validate':
      return choice === undefined ? turn : undefined;
    default:
      return turn;
  }
}

/** There is a way back from these. */
const REVERSIBLE: readonly Step[] = ['cordon', 'deregister', 'drain'];

/** A machine can stay what it is, apart from one that its group has got another one for. */
const isReversible = ({ step, leadsTo }: Turn, { standing }: FleetMachine): boolean =>
  standing !== 'detached' &&
  (step === 'detach' || REVERSIBLE.includes(step) || (step === 'release' && leadsTo === 'waiting'));

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
