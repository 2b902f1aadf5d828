import { isUnderWay, type Turn } from './roll.ts';
import { heirOf, machineOf, type Seen } from './seen.ts';

/**
 * Why no machine of a group may go: it lacks some already, or control planes are lacking, on which everything stands. Those
 * that come in the place of machines under way, and of detached ones that still serve, are not lacking. As in kops, what
 * another group lacks keeps no group back. Undefined where none is lacking. Pure.
 */
export function lackingMachines(turns: readonly Turn[], group: string, seen: Seen): string | undefined {
  for (const { name, role, wanted, machines } of seen.groups) {
    if (name !== group && role !== 'ControlPlane') continue;
    const there = machines.filter(({ standing }) => standing === 'counted').length;
    const coming = turns.filter((turn) => turn.instanceGroup === name && isComing(turn, seen)).length;
    const lacks = wanted - there - coming;
    if (lacks > 0) return `${name} lacks ${lacks} of its ${wanted} machines`;
  }
  return undefined;
}

/** The machine in its place is not there yet, as far as names tell. */
function isComing(turn: Turn, seen: Seen): boolean {
  if (turn.standing === 'detached') return machineOf(seen, turn) !== undefined;
  const mayBeGone = turn.standing === 'counted' && isUnderWay(turn);
  return mayBeGone && machineOf(seen, turn) === undefined && heirOf(seen, turn) === undefined;
}
