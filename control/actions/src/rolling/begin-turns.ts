import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { firstStep } from './advance-turn.ts';
import { quorumFault } from './etcd-quorum.ts';
import { lackingMachines } from './lacking-machines.ts';
import { isUnderWay, type Roll, type Turn } from './roll.ts';
import type { RollSettings } from './roll-settings.ts';
import { isProven, relevantFaults, type Seen } from './seen.ts';
import {
  currentPhase,
  isDetachable,
  isOnlyPrepared,
  leftToPeople,
  nodesUnderWay,
  sparesOf,
  startable,
} from './startable-turns.ts';

export interface Begun {
  readonly turns: readonly Turn[];
  /** Why no further machine may go now, where the reason is not that others are on their way. */
  readonly blocked?: string;
}

/** Lets as many machines begin as the budget allows. Pure. */
export function beginTurns({ turns, startedMs, purpose }: Roll, seen: Seen, settings: RollSettings): Begun {
  const next = [...turns];
  const { cloudOnly } = settings;
  // The first new machine shows whether the new configuration works before more are made. One that ended by itself is done
  // too, and so is one that was replaced before the spec was changed again: a machine that works has to be there as well.
  // A machine that is changed in place is current before it was found to work.
  const proves = (group: string): boolean => {
    const except = new Set(next.filter((turn) => turn.inPlace && turn.step !== 'done').map(({ id }) => id));
    return (
      (next.some((turn) => turn.instanceGroup === group && hasSuccessor(turn, settings)) &&
        isProven(seen, group, { cloudOnly, except })) ||
      isProven(seen, group, { cloudOnly, except, beforeMs: startedMs })
    );
  };
  const phase = currentPhase(next, settings);
  let blocked: string | undefined;
  for (const { name: group } of seen.groups.filter(({ role }) => role === phase)) {
    const proven = proves(group);
    // Without the API, nothing is validated. Where it heals, machines that are lacking are what it is about.
    const counts = settings.failOnValidateError && !cloudOnly && purpose !== 'heal';
    const isOpen = counts && startable(next, settings).some(({ instanceGroup }) => instanceGroup === group);
    const lacks = isOpen ? lackingMachines(next, group, seen) : undefined;
    if (lacks !== undefined) {
      blocked ??= lacks;
      continue;
    }
    const waits = surge(next, { group, proven }, seen, settings);
    if (waits !== undefined) {
      blocked ??= waits;
      continue;
    }
    for (;;) {
      const chosen = choose(next, { group, proven }, seen, settings);
      if ('why' in chosen) blocked ??= chosen.why;
      if (!('turn' in chosen)) break;
      const step = settings.interactive ? 'ask' : firstStep(chosen.turn, settings);
      next[next.indexOf(chosen.turn)] = { ...chosen.turn, step, sinceMs: seen.nowMs };
    }
  }
  blocked ??= awaited(next, seen, settings);
  return { turns: next, ...(blocked !== undefined && { blocked }) };
}

/** Its group has a new machine for it. Where machines are only prepared, that is all that becomes of it. */
const hasSuccessor = ({ step, standing, instanceGroup }: Turn, settings: RollSettings): boolean =>
  (step === 'done' && standing !== 'warm') || (step === 'surplus' && isOnlyPrepared(instanceGroup, settings));

/**
 * What the rolling update waits for where nothing is under way: an API by which machines that people end are tainted, that the
 * machines in the place of those that are only detached work, or room in the budget. Undefined: nothing is waited for, so the
 * rolling update is over.
 */
function awaited(turns: readonly Turn[], seen: Seen, settings: RollSettings): string | undefined {
  const needsApi = !settings.cloudOnly && leftToPeople(turns, settings).some(({ node }) => node !== '');
  if (needsApi && seen.apiFailure !== undefined) return seen.apiFailure;
  for (const group of seen.groups.filter(({ name }) => isOnlyPrepared(name, settings))) {
    const spares = sparesOf(group.name, turns);
    if (spares.length === 0) continue;
    const lacks = lackingIn(group, turns);
    if (lacks !== undefined) return lacks;
    if (settings.cloudOnly) continue;
    const why =
      seen.apiFailure ?? (settings.failOnValidateError ? relevantFaults(seen, group.name, [])[0]?.message : undefined);
    if (why !== undefined) return why;
  }
  if (turns.some((turn) => isUnderWay(turn) || turn.step === 'ask' || turn.step === 'detach')) return undefined;
  const [next] = startable(turns, settings);
  return next && `${next.name} is not replaced yet: the budget allows no more missing machines`;
}

interface GroupNow {
  readonly group: string;
  /** The new configuration works in it. */
  readonly proven: boolean;
}

/** Detaches as many machines as the group may have in addition. Returns what the group has to wait for before others go. */
function surge(turns: Turn[], { group, proven }: GroupNow, seen: Seen, settings: RollSettings): string | undefined {
  const maxSurge = settings.rules.get(group)?.maxSurge ?? 0;
  const own = startable(turns, settings).filter((turn) => turn.instanceGroup === group);
  const spare = sparesOf(group, turns);
  const open = own.filter((turn) => isDetachable(turn));
  const most = proven ? maxSurge : Math.min(1, maxSurge);
  for (const turn of open.toReversed().slice(0, Math.max(0, most - spare.length))) {
    turns[turns.indexOf(turn)] = { ...turn, step: 'detach', sinceMs: seen.nowMs };
  }
  if (turns.some(({ instanceGroup, step }) => instanceGroup === group && step === 'detach')) {
    return `machines of ${group} are being detached`;
  }
  const fleet = seen.groups.find(({ name }) => name === group);
  return spare.length === 0 || fleet === undefined ? undefined : lackingIn(fleet, turns);
}

function lackingIn({ name, wanted, machines }: FleetGroup, turns: readonly Turn[]): string | undefined {
  const running = machines.filter((one) => one.standing === 'counted' && one.running).length;
  const missing = turns.filter(
    (turn) => turn.instanceGroup === name && turn.standing === 'counted' && isUnderWay(turn),
  );
  const lacks = wanted - running - missing.length;
  return lacks > 0 ? `${name} waits for ${lacks} machines in the place of detached ones` : undefined;
}

type Chosen = { readonly turn: Turn } | { readonly why: string } | { readonly none: true };
const NONE: Chosen = { none: true };

/** The machine of a group that goes next, if one may. */
function choose(turns: readonly Turn[], { group, proven }: GroupNow, seen: Seen, settings: RollSettings): Chosen {
  const rules = settings.rules.get(group);
  const taken = nodesUnderWay(turns);
  const waits = startable(turns, settings).filter(
    ({ instanceGroup, step, node }) =>
      instanceGroup === group && (step === 'waiting' || step === 'surplus') && !taken.has(node),
  );
  const active = turns.filter((turn) => (turn.step === 'ask' || isUnderWay(turn)) && turn.standing !== 'warm');
  if (settings.interactive && active.some(({ step }) => step === 'ask')) return NONE;
  const warm = waits.find(({ standing }) => standing === 'warm');
  if (warm !== undefined) return { turn: warm };
  if (rules === undefined || !rules.drainAndTerminate) return NONE;
  const sick = settings.cloudOnly ? [] : waits.filter(({ node }) => seen.faults.some((fault) => fault.node === node));
  // Sick machines first: they are missed already. Then the machines that the group counts; spare ones serve until the end.
  const [turn] = [...sick, ...waits.filter(({ step }) => step === 'waiting'), ...waits];
  if (turn === undefined || !fitsBudget(turn, { turns, active, sick, proven }, settings)) return NONE;
  if (settings.cloudOnly) return { turn };
  const why = blockedBy(turn, [...active, ...sick], seen, settings);
  return why === undefined ? { turn } : { why };
}

interface Others {
  readonly turns: readonly Turn[];
  readonly active: readonly Turn[];
  readonly sick: readonly Turn[];
  readonly proven: boolean;
}

function fitsBudget(turn: Turn, { turns, active, sick, proven }: Others, settings: RollSettings): boolean {
  const { role, instanceGroup: group } = turn;
  // Nothing runs on bastions.
  if (role === 'Bastion') return true;
  if (role === 'ControlPlane') return active.length === 0;
  const spareIn = (name: string): number => sparesOf(name, turns).length;
  const own = active.filter((one) => one.instanceGroup === group).length;
  const isSick = sick.includes(turn);
  const allowed = (settings.rules.get(group)?.maxUnavailable ?? 1) + spareIn(group);
  if (own + (isSick ? 0 : sick.length) >= (proven ? Math.max(1, allowed) : 1)) return false;
  const groups = Map.groupBy(active, ({ instanceGroup }) => instanceGroup);
  const missing = (name: string, more: number): number =>
    Math.max(0, (groups.get(name)?.length ?? 0) + more - spareIn(name));
  const after = [...groups.keys()].filter((name) => name !== group).reduce((sum, name) => sum + missing(name, 0), 0);
  return missing(group, 1) === 0 || after + missing(group, 1) <= settings.budget;
}

function blockedBy(
  turn: Turn,
  replaced: readonly Turn[],
  seen: Seen,
  { failOnValidateError }: RollSettings,
): string | undefined {
  if (seen.apiFailure !== undefined) return seen.apiFailure;
  const quorum = turn.role === 'ControlPlane' ? quorumFault(seen.etcds, turn.address) : undefined;
  if (quorum !== undefined || !failOnValidateError) return quorum;
  return relevantFaults(seen, turn.instanceGroup, replaced)[0]?.message;
}
