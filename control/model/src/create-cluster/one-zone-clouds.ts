import type { CloudName } from './flags.ts';
import type { CloudRules, ZonedSubnet } from './cloud-rules.ts';
import { refusal } from './refusal.ts';
import { zonalSubnets } from './zonal-subnets.ts';

/** Clouds whose clusters stay in one place and that assign no ranges. */
const oneZone = (
  name: CloudName,
  options: Partial<Pick<CloudRules, 'numbersControlPlanes' | 'networkHasRange'>> & {
    readonly place: string;
    readonly subnet?: (place: string) => ZonedSubnet['subnet'];
  },
): CloudRules => ({
  name,
  settings: () => ({}),
  subnets: (flags, zones, facts) => {
    const [zone = ''] = zones;
    if (zones.length > 1) {
      throw refusal(`a cluster on ${name} is in one ${options.place}, but --zones names ${zones.length}`, 'name one');
    }
    return options.subnet === undefined ? zonalSubnets(flags, zones, facts) : [{ zone, subnet: options.subnet(zone) }];
  },
  placesByZone: false,
  utilitySubnets: true,
  encryptsEtcd: false,
  numbersControlPlanes: options.numbersControlPlanes ?? false,
  networkHasRange: options.networkHasRange ?? true,
  assignNetwork: (spec) => spec,
});

/** On these two a zone is a region. */
export const digitalocean = oneZone('digitalocean', {
  place: 'region',
  numbersControlPlanes: true,
  networkHasRange: false,
  subnet: (region) => ({ name: region, region, zone: region }),
});
export const linode = oneZone('linode', {
  place: 'region',
  subnet: (region) => ({ name: region, region, zone: region }),
});
export const hetzner = oneZone('hetzner', { place: 'location' });
export const scaleway = oneZone('scaleway', { place: 'zone' });
