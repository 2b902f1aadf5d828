import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { ownFlags } from '@kopsctl/model/create-cluster/own-flags.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';
import { regionalSubnets } from '@kopsctl/model/create-cluster/regional-subnets.ts';
import { assignSubnetCidrs } from '@kopsctl/model/create-cluster/subnet-cidrs.ts';
import { AZURE_FLAGS } from './create-cluster-flags.ts';

/** kops's defaults for the range of a new network and the name of the admin user. */
const NETWORK_CIDR = '10.0.0.0/16';
const ADMIN_USER = 'kops';

/** The smallest subnet is a /29 (Azure Virtual Network FAQ). */
const LONGEST_PREFIX = 29;

export const azureCreation: CloudRules = {
  images: { amd64: 'Canonical:ubuntu-24_04-lts:server:24.04.202606060' },
  machineTypes: everywhere('Standard_B2s'),
  settings: (flags) => {
    const { text } = ownFlags(flags, AZURE_FLAGS);
    return {
      cloudConfig: {
        azure: {
          adminUser: text('azureAdminUser') ?? ADMIN_USER,
          subscriptionId: text('azureSubscriptionId') ?? '',
          tenantId: text('azureTenantId') ?? '',
          ...given({
            resourceGroupName: text('azureResourceGroupName'),
            routeTableName: text('azureRouteTableName'),
          }),
        },
      },
    };
  },
  subnets: (flags, zones, facts) =>
    regionalSubnets(flags, zones, facts, { nameOf: () => flags.name, regionOf: locationOfZone, cloud: 'Azure' }),
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
      LONGEST_PREFIX,
    ),
};

const newNetwork = (networkId: string | undefined) => (networkId === undefined ? NETWORK_CIDR : undefined);

/** The location of a zone: `eastus-1` is in `eastus`. */
function locationOfZone(zone: string): string {
  const [location, number, ...more] = zone.split('-');
  if (location === undefined || number === undefined || !/^\d+$/.test(number) || more.length > 0) {
    throw refusal(`'${zone}' is not an Azure zone`, 'use a zone such as eastus-1');
  }
  return location;
}
