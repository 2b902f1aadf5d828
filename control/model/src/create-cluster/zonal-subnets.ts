import type { CreateClusterFacts, CreateClusterFlags, SharedNetwork } from './flags.ts';
import type { ZonedSubnet } from './cloud-rules.ts';
import { given } from './given.ts';
import { refusal } from './refusal.ts';

/**
 * One subnet for each zone, named after it. Additional network CIDRs become subnets of their own, distributed over the
 * zones.
 */
export function zonalSubnets(
  flags: CreateClusterFlags,
  zones: readonly string[],
  facts: CreateClusterFacts,
): readonly ZonedSubnet[] {
  const ids = idsByZone('--subnets', flags.subnets ?? [], zones, facts.sharedNetwork);
  const own = zones.map((zone) => ({
    zone,
    subnet: { name: zone, zone, ...given({ egress: flags.egress, id: ids.get(zone) }) },
  }));
  const ownZones = flags.zones ?? [];
  const more = (flags.networkCidr ?? []).slice(1).map((cidr, index) => {
    const zone = ownZones[index % ownZones.length] ?? '';
    return { zone, subnet: { name: `${zone}-${index + 1}`, zone, cidr, ...given({ egress: flags.egress }) } };
  });
  return [...own, ...more];
}

/** Assigns shared subnets to zones. If the cloud was not asked, the subnets are taken to be in the order of the zones. */
export function idsByZone(
  flag: string,
  ids: readonly string[],
  zones: readonly string[],
  network: SharedNetwork | undefined,
): ReadonlyMap<string, string> {
  if (ids.length > 0 && network === undefined && ids.length !== zones.length) {
    throw refusal(
      `${flag} names ${ids.length} subnets for ${zones.length} zones, and only the cloud knows the zone of each subnet`,
      'leave out --offline, or name one subnet for each zone, in the order of the sorted zones',
    );
  }
  const byZone = new Map<string, string>();
  for (const [index, id] of ids.entries()) {
    const found = network?.subnets.find((subnet) => subnet.id === id);
    if (network !== undefined && found === undefined) {
      throw refusal(`the network ${network.id} has no subnet ${id}`, `check ${flag} and --network-id`);
    }
    const zone = found?.place ?? zones[index] ?? '';
    if (!zones.includes(zone)) {
      throw refusal(`${flag}: ${id} is in the zone ${zone}`, `name that zone with --zones, or drop the subnet`);
    }
    const other = byZone.get(zone);
    if (other !== undefined) throw refusal(`${flag}: ${id} and ${other} are in the same zone, ${zone}`, 'drop one');
    byZone.set(zone, id);
  }
  return byZone;
}
