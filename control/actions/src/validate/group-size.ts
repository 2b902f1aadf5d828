import type { RunningMachines } from '@kopsctl/model/cloud.ts';
import { printable } from '../follow/printable.ts';

/** How many machines an instance group has in its cloud. */
export interface GroupSize {
  readonly found: number;
  /** Undefined if the cloud has no such group. */
  readonly wanted: number | undefined;
  /** Why the cloud makes no more, in its own words. Can be printed. */
  readonly shortfall?: string;
}

/**
 * Machines that were detached are no longer the group's. Where the cloud has no groups of its own, or Karpenter makes the
 * machines of this one, it should have `minSize` machines.
 */
export function groupSize(
  {
    name,
    minSize,
    manager,
  }: { readonly name: string; readonly minSize: number; readonly manager?: string | undefined },
  { machines, desired, shortfalls }: RunningMachines,
): GroupSize {
  const shortfall = shortfalls?.[name];
  return {
    found: machines.filter(({ instanceGroup, isDetached }) => instanceGroup === name && isDetached !== true).length,
    wanted: desired === undefined || manager === 'Karpenter' ? minSize : desired[name],
    ...(shortfall !== undefined && { shortfall: printable(shortfall) }),
  };
}
