import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import type { Roll } from './roll.ts';
import { isMissed } from './start-roll.ts';

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
  if (isMissed(former) && former.asked?.machines?.includes(machine.id) !== true) {
    throw new ActionableError({
      what: `delete the instance ${instance} of ${cluster}`,
      why: `a rolling update that began at ${new Date(former.startedMs).toISOString()} was left unfinished (${former.state})`,
      next: `finish it with \`kopsctl rolling-update resume ${cluster}\`, or end it with \`kopsctl rolling-update abort ${cluster}\``,
    });
  }
  return machine.id;
}
