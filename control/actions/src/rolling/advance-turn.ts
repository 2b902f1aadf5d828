import type { Outcome } from './effect.ts';
import { isUnderWay, type Roll, type Step, type Turn } from './roll.ts';
import type { RollSettings } from './roll-settings.ts';
import { noteWatches, watchesAway } from './endpoint-watches.ts';
import { heirOf, machineOf, relevantFaults, type Seen } from './seen.ts';
import { isLeft } from './startable-turns.ts';

export interface Circumstances {
  readonly roll: Roll;
  readonly seen: Seen;
  readonly outcomes: readonly Outcome[];
  readonly settings: RollSettings;
  /** Machines that can be put back are put back. */
  readonly isEnding: boolean;
}

/** Where a machine that begins goes first. A machine of the warm pool has nothing to be drained. */
export const firstStep = ({ standing, node, inPlace }: Turn, { cloudOnly }: Pick<RollSettings, 'cloudOnly'>): Step => {
  if (standing === 'warm') return 'delete';
  if (inPlace?.drains === false) return 'converge';
  return cloudOnly || node === '' ? 'deregister' : 'cordon';
};

/** One machine's turn, as far as what happened leads it. Pure. */
export function advanceTurn(journaled: Turn, around: Circumstances): Turn {
  const { roll, seen, outcomes, settings, isEnding } = around;
  const turn = noteStanding(noteWatches(journaled, seen), seen);
  const outcome = outcomes.find(({ id, step }) => id === turn.id && step === turn.step);
  const error = outcome?.error;
  const to = (step: Step, more: Partial<Turn> = {}): Turn => ({
    ...turn,
    step,
    sinceMs: seen.nowMs,
    passes: 0,
    ...more,
  });
  const isThere = machineOf(seen, turn) !== undefined;
  switch (turn.step) {
    case 'waiting':
    case 'surplus': {
      // Another machine may get its Node, which is tainted.
      if (!isThere) return mayBeMarked(turn, around) ? to('release', { leadsTo: 'done' }) : to('done');
      const refusal = taintRefusal(turn, around);
      if (refusal !== undefined) return to('failed', { failure: `it could not be tainted: ${refusal}` });
      return roll.wish === 'abort' && isNodeMarked(turn, seen) ? to('release', { leadsTo: 'waiting' }) : turn;
    }
    case 'ask':
      if (isEnding || error !== undefined || outcome?.refused === true) return to('waiting');
      return outcome === undefined ? turn : to(firstStep(turn, settings));
    case 'detach':
      if (!isThere) return to('done');
      // One that cannot be detached is replaced like those of a group without a surge.
      if (error !== undefined) return to('waiting', { failure: error });
      return outcome === undefined ? turn : to('surplus', { standing: 'detached' });
    case 'cordon':
    case 'deregister':
    case 'drain': {
      if (!isThere) return to(afterDelete(turn, settings));
      if (isEnding) return to('release', { leadsTo: 'waiting' });
      if (outcome === undefined) return turn;
      const next = nextStep(turn, turn.step, settings);
      if (error === undefined) return to(next);
      if (turn.step === 'drain' && !settings.failOnDrainError) return to(next, { failure: error });
      return to('release', { leadsTo: 'failed', failure: error });
    }
    case 'converge':
      if (!isThere) return to(afterDelete(turn, settings));
      if (outcome === undefined) return turn;
      if (error === undefined) return to('release', { leadsTo: 'validate' });
      return to('release', { leadsTo: 'failed', failure: error });
    case 'release': {
      if (outcome === undefined) return turn;
      if (error === undefined) return to(turn.leadsTo ?? 'waiting', { leadsTo: undefined });
      // No machine is left out of service because of an API that is away for minutes. A person who ends it does not wait.
      const lastsMs = isEnding || outcome.mayPass !== true ? 0 : settings.validationTimeoutMs;
      if (seen.nowMs < turn.sinceMs + lastsMs) return turn;
      return to('failed', {
        failure: `${turn.failure ?? 'it was to be put back into service'}; it may still be cordoned: ${error}`,
      });
    }
    case 'delete':
      if (error !== undefined) return to('failed', { failure: `${error}; it is still cordoned` });
      // One of the warm pool stays if it was needed at that moment.
      if (isThere && (outcome === undefined || turn.standing === 'warm')) return turn;
      return to(afterDelete(turn, settings));
    case 'make':
      if (error !== undefined) return to('failed', { failure: error });
      return outcome === undefined ? turn : to('validate');
    case 'validate':
      return validated(turn, around, to);
    case 'done':
    case 'failed':
      return turn;
  }
}

/** A machine of the warm pool serves as soon as its group needs it: then it goes like all that serve. It may also come back. */
function noteStanding(turn: Turn, seen: Seen): Turn {
  const standing = machineOf(seen, turn)?.standing;
  if (standing === undefined || (standing === 'warm') === (turn.standing === 'warm')) return turn;
  if (turn.step === 'waiting' || turn.step === 'ask') return { ...turn, standing };
  const isToBeEnded = turn.step === 'delete' && turn.standing === 'warm';
  return isToBeEnded ? { ...turn, standing, step: 'waiting', sinceMs: seen.nowMs } : turn;
}

const nextStep = ({ inPlace }: Turn, step: 'cordon' | 'deregister' | 'drain', { cloudOnly }: RollSettings): Step => {
  if (step === 'cordon') return 'deregister';
  if (step === 'deregister' && !cloudOnly) return 'drain';
  return inPlace === undefined ? 'delete' : 'converge';
};

const afterDelete = ({ standing }: Turn, { makes }: RollSettings): Step =>
  makes && standing === 'counted' ? 'make' : 'validate';

/** Why the one thing that was to happen to a machine did not. An API that does not answer is waited for. */
function taintRefusal(turn: Turn, { roll, seen, outcomes, settings }: Circumstances): string | undefined {
  const error = outcomes.find(({ id, step }) => id === turn.id && step === 'taint')?.error;
  if (error === undefined || seen.apiFailure !== undefined) return undefined;
  return isLeft(turn, roll.turns, settings) ? error : undefined;
}

/** Something that a rolling update did to its Node is still there. */
export const isNodeMarked = ({ node }: Turn, { nodes }: Seen): boolean =>
  nodes.some(({ name, isMarked }) => name === node && isMarked);

/** The same, as far as is known: Nodes are not seen while the API does not answer. */
const mayBeMarked = (turn: Turn, { seen, settings }: Circumstances): boolean =>
  turn.node !== '' && !settings.cloudOnly && (seen.apiFailure !== undefined || isNodeMarked(turn, seen));

function validated(turn: Turn, around: Circumstances, to: (step: Step, more?: Partial<Turn>) => Turn): Turn {
  const { seen, settings } = around;
  const fromMs = turn.sinceMs + settings.intervalsMs[turn.role];
  if (seen.nowMs < fromMs) return turn;
  const fault = faultAfter(turn, around);
  const passes = fault === undefined ? turn.passes + 1 : 0;
  if (passes >= (settings.cloudOnly ? 1 : settings.validateCount)) return to('done');
  if (fault === undefined || seen.nowMs < fromMs + settings.validationTimeoutMs) {
    return passes === turn.passes ? turn : { ...turn, passes };
  }
  if (!settings.failOnValidateError) return to('done', { failure: fault });
  const failure = `the cluster is not valid ${Math.round(settings.validationTimeoutMs / 1000)} s after it: ${fault}`;
  return to('failed', { failure });
}

/** What is still wrong after a machine was replaced. */
function faultAfter(turn: Turn, { roll, seen, settings }: Circumstances): string | undefined {
  const { cloudOnly, makes } = settings;
  const others = roll.turns.filter((one) => one.id !== turn.id && isUnderWay(one));
  const stays = turn.inPlace !== undefined && machineOf(seen, turn) !== undefined;
  const missing = stays ? undefined : makes ? missingHeir(turn, seen) : missingInGroup(turn, others, seen);
  if (missing !== undefined || cloudOnly) return missing;
  if (seen.apiFailure !== undefined) return seen.apiFailure;
  if ((makes || heirOf(seen, turn) !== undefined) && isNodeMarked(turn, seen)) return `${turn.node} is still cordoned`;
  const away = turn.role === 'ControlPlane' ? memberAway(seen) : undefined;
  return away ?? watchesAway(turn, seen) ?? relevantFaults(seen, turn.instanceGroup, others, turn)[0]?.message;
}

function missingHeir({ id, name }: Turn, { groups }: Seen): string | undefined {
  const heir = groups.flatMap(({ machines }) => machines).find((machine) => machine.name === name && machine.id !== id);
  return heir?.running === true ? undefined : `the new ${name} is not running yet`;
}

function missingInGroup(turn: Turn, others: readonly Turn[], { groups }: Seen): string | undefined {
  const group = groups.find(({ name }) => name === turn.instanceGroup);
  if (group === undefined || turn.standing === 'warm') return undefined;
  const running = group.machines.filter(
    (one) => one.running && one.standing === 'counted' && one.id !== turn.id,
  ).length;
  const excused = others.filter((one) => one.instanceGroup === group.name && one.standing === 'counted').length;
  const missing = group.wanted - running - excused;
  return missing > 0 ? `${group.name} lacks ${missing} of its ${group.wanted} machines` : undefined;
}

function memberAway({ etcds }: Seen): string | undefined {
  for (const { name, members } of etcds) {
    const away = members.find(({ isHealthy }) => !isHealthy);
    if (away !== undefined) return `the member ${away.name} of etcd ${name} does not serve yet`;
  }
  return undefined;
}
