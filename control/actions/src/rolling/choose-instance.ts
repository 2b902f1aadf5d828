import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { isUnderWay, type Roll } from './roll.ts';
import { isUnfinished } from './start-roll.ts';

/**
 * The id of the one machine that a person wants to be replaced.
 *
 * @param instance its name in the cloud; the machine that takes its place may get it, too
 * @throws ActionableError where there is none, or another rolling update was left that would forget what it has to do
 */
export function chooseInstance(
  cluster: string,
  instance: string,
  groups: readonly FleetGroup[],
  former: Roll | undefined,
): string {
  const machine = groups.flatMap(({ machines }) => machines).find(({ name }) => name === instance);
  if (machine === undefined) {
    throw new ActionableError({
      what: `delete the instance ${instance} of ${cluster}`,
      why: 'none of its instance groups has it',
      next: 'see `kopsctl get instances`',
    });
  }
  if (isUnfinished(former) && former.asked?.machines?.includes(machine.id) !== true && isMissed(former)) {
    throw new ActionableError({
      what: `delete the instance ${instance} of ${cluster}`,
      why: `a rolling update since ${new Date(former.startedMs).toISOString()} was left before its end (${former.state})`,
      next: `finish it with \`kopsctl rolling-update resume ${cluster}\`, or put back what it left with \`kopsctl rolling-update abort ${cluster}\``,
    });
  }
  return machine.id;
}

/** Somebody goes on with it, as far as it knows. One that failed or was ended, and has nothing under way, keeps nobody waiting. */
const isMissed = ({ state, turns }: Roll): boolean =>
  (state !== 'failed' && state !== 'aborted') || turns.some((turn) => isUnderWay(turn));
