import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CloudRules } from './cloud-rules.ts';
import type { CreateClusterFacts } from './flags.ts';
import { given } from './given.ts';
import { assignSubnetCidrs } from './subnet-cidrs.ts';
import { zonalSubnets } from './zonal-subnets.ts';

/** The range of a new VPC (kops upup/pkg/fi/cloudup/defaults.go). */
const VPC_CIDR = '172.20.0.0/16';

export const aws: CloudRules = {
  name: 'aws',
  settings: ({ spotinst }) => {
    const { product, orientation } = spotinst ?? {};
    if (product === undefined && orientation === undefined) return {};
    return { cloudConfig: given({ spotinstProduct: product, spotinstOrientation: orientation }) };
  },
  subnets: zonalSubnets,
  placesByZone: false,
  utilitySubnets: true,
  encryptsEtcd: true,
  numbersControlPlanes: false,
  networkHasRange: true,
  assignNetwork: (spec, facts) => assignSubnetCidrs(withNetworkCidr(spec, facts), facts.sharedNetwork),
};

function withNetworkCidr(spec: ClusterSpec, { sharedNetwork }: CreateClusterFacts): ClusterSpec {
  const networkCIDR = spec.networkCIDR ?? (spec.networkID === undefined ? VPC_CIDR : sharedNetwork?.cidr);
  // Pods of Amazon's network have addresses of the VPC.
  const podsInVpc = spec.networking?.amazonvpc !== undefined && spec.nonMasqueradeCIDR === undefined;
  return {
    ...spec,
    ...given({ networkCIDR }),
    ...(podsInVpc ? given({ nonMasqueradeCIDR: networkCIDR }) : {}),
  };
}
