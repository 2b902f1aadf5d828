import type { ZonedSubnet } from './cloud-rules.ts';
import type { CreateClusterFacts, CreateClusterFlags, SharedNetwork } from './flags.ts';
import { given, nonEmpty } from './given.ts';
import { refusal } from './refusal.ts';

/** One subnet for each region, shared by its zones. */
export function regionalSubnets(
  flags: CreateClusterFlags,
  zones: readonly string[],
  { sharedNetwork }: CreateClusterFacts,
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
    const cidr = id === undefined ? undefined : sharedNetwork && cidrThere(id, region, sharedNetwork);
    return {
      zone,
      subnet: { name: rules.nameOf(region), region, ...given({ id, cidr, egress: nonEmpty(flags.egress) }) },
    };
  });
}

/** The range of a subnet in a region: the same name may be that of another subnet in another region. */
function cidrThere(id: string, region: string, network: SharedNetwork): string {
  const named = network.subnets.filter((subnet) => subnet.id === id);
  const found = named.find(({ place }) => place === region);
  if (found !== undefined) return found.cidr;
  throw named.length === 0
    ? refusal(`the network ${network.id} has no subnet ${id}`, 'check --subnets and --network-id')
    : refusal(
        `--subnets: ${id} is in ${named.map(({ place }) => place).join(' and ')}, and the zones are in ${region}`,
        'name zones of the region of the subnet with --zones',
      );
}
