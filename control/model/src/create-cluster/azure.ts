import type { CloudRules } from './cloud-rules.ts';
import { given, nonEmpty } from './given.ts';
import { refusal } from './refusal.ts';
import { regionalSubnets } from './regional-subnets.ts';
import { assignSubnetCidrs } from './subnet-cidrs.ts';

/** What kops takes for a new network, and calls the user who may log in. */
const NETWORK_CIDR = '10.0.0.0/16';
const ADMIN_USER = 'kops';

export const azure: CloudRules = {
  name: 'azure',
  settings: ({ azure: flags = {} }) => ({
    cloudConfig: {
      azure: {
        adminUser: nonEmpty(flags.adminUser) ?? ADMIN_USER,
        subscriptionId: flags.subscriptionId ?? '',
        tenantId: flags.tenantId ?? '',
        ...given({
          resourceGroupName: nonEmpty(flags.resourceGroupName),
          routeTableName: nonEmpty(flags.routeTableName),
        }),
      },
    },
  }),
  subnets: (flags, zones) =>
    regionalSubnets(flags, zones, { nameOf: () => flags.name, regionOf: locationOfZone, cloud: 'Azure' }),
  placesByZone: true,
  utilitySubnets: true,
  encryptsEtcd: false,
  numbersControlPlanes: false,
  networkHasRange: true,
  assignNetwork: (spec, facts) =>
    assignSubnetCidrs(
      {
        ...spec,
        ...given({ networkCIDR: spec.networkCIDR ?? facts.sharedNetwork?.cidr ?? newNetwork(spec.networkID) }),
      },
      facts.sharedNetwork,
    ),
};

const newNetwork = (networkId: string | undefined) => (networkId === undefined ? NETWORK_CIDR : undefined);

/** `eastus-1` is in `eastus`. */
function locationOfZone(zone: string): string {
  const [location, number, ...more] = zone.split('-');
  if (location === undefined || number === undefined || !/^\d+$/.test(number) || more.length > 0) {
    throw refusal(`'${zone}' is no zone of Azure`, 'zones are called like eastus-1');
  }
  return location;
}
