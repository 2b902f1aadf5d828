import type { ZonedSubnet } from './cloud-rules.ts';
import type { CreateClusterFlags } from './flags.ts';
import { given } from './given.ts';
import { refusal } from './refusal.ts';

/** One subnet for each region, shared by its zones. */
export function regionalSubnets(
  flags: CreateClusterFlags,
  zones: readonly string[],
  rules: {
    readonly cloud: string;
    readonly regionOf: (zone: string) => string;
    readonly nameOf: (region: string) => string;
  },
): readonly ZonedSubnet[] {
  const ids = flags.subnets ?? [];
  if (ids.length > 1) {
    throw refusal(`--subnets names ${ids.length}, but a cluster on ${rules.cloud} has one`, 'name one');
  }
  const [id] = ids;
  return zones.map((zone) => {
    const region = rules.regionOf(zone);
    return { zone, subnet: { name: rules.nameOf(region), region, ...given({ id }) } };
  });
}
