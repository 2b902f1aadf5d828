import type { Addon, Channel } from './channel.ts';

/**
 * What is left of a channel when each name belongs to the first channel that lists it; an addon with a name of an earlier
 * channel is a fault. The names of the others are added to `taken`.
 *
 * @param taken the channel of each name
 */
export function claimNames(location: string, { addons, faults }: Channel, taken: Map<string, string>): Channel {
  const isFree = ({ name }: Addon): boolean => !taken.has(name);
  const twice = addons
    .filter((addon) => !isFree(addon))
    .map(({ name }) => `${name} is an addon of ${taken.get(name)} too; choose another name`);
  const own = addons.filter(isFree);
  for (const { name } of own) taken.set(name, location);
  return { addons: own, faults: [...faults, ...twice] };
}
