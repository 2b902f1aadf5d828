import type { CloudRules, ZonedSubnet } from './cloud-rules.ts';
import { refusal } from './refusal.ts';
import { zonalSubnets } from './zonal-subnets.ts';

/** The rules of a cloud whose clusters are in a single place and that assigns no address ranges. */
export const oneZoneRules = (
  cloud: string,
  options: Pick<CloudRules, 'images' | 'machineTypes'> &
    Partial<Pick<CloudRules, 'numbersControlPlanes' | 'networkHasRange'>> & {
      /** The cloud's word for such a place. */
      readonly place: string;
      readonly subnet?: (place: string) => ZonedSubnet['subnet'];
    },
): CloudRules => ({
  settings: () => ({}),
  subnets: (flags, zones, facts) => {
    const [zone = ''] = zones;
    if (zones.length > 1) {
      throw refusal(`a cluster on ${cloud} is in one ${options.place}, but --zones names ${zones.length}`, 'name one');
    }
    return options.subnet === undefined ? zonalSubnets(flags, zones, facts) : [{ zone, subnet: options.subnet(zone) }];
  },
  placesByZone: false,
  utilitySubnets: true,
  encryptsEtcd: false,
  numbersControlPlanes: options.numbersControlPlanes ?? false,
  networkHasRange: options.networkHasRange ?? true,
  assignNetwork: (spec) => spec,
  ...(options.images && { images: options.images }),
  ...(options.machineTypes && { machineTypes: options.machineTypes }),
});
