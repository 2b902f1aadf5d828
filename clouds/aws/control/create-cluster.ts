import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { type Architecture, type ChannelImages, everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import type { CreateClusterFacts } from '@kopsctl/model/create-cluster/flags.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { CILIUM } from '@kopsctl/model/create-cluster/networking.ts';
import { ownFlags } from '@kopsctl/model/create-cluster/own-flags.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';
import { assignSubnetCidrs } from '@kopsctl/model/create-cluster/subnet-cidrs.ts';
import { zonalSubnets } from '@kopsctl/model/create-cluster/zonal-subnets.ts';
import { apiLoadBalancer } from './api-load-balancer.ts';
import { architectureOf } from './architecture.ts';
import { LONGEST_PREFIX, VPC_CIDR } from './completion.ts';
import { AWS_FLAGS } from './create-cluster-flags.ts';
import { isAwsZone, regionOfZone } from './region.ts';

const ubuntu = (architecture: Architecture): ChannelImages => {
  // The AWS account of Canonical.
  const images = '099720109477/ubuntu/images';
  return {
    focal: `${images}/hvm-ssd/ubuntu-focal-20.04-${architecture}-server-20250624`,
    jammy: `${images}/hvm-ssd/ubuntu-jammy-22.04-${architecture}-server-20260410`,
    noble: `${images}/hvm-ssd-gp3/ubuntu-noble-24.04-${architecture}-server-20260714`,
  };
};

export const awsCreation: CloudRules = {
  settings: (flags) => {
    const { text } = ownFlags(flags, AWS_FLAGS);
    const [spotinstProduct, spotinstOrientation] = [text('spotinstProduct'), text('spotinstOrientation')];
    if (spotinstProduct === undefined && spotinstOrientation === undefined) return {};
    return { cloudConfig: given({ spotinstProduct, spotinstOrientation }) };
  },
  subnets: (flags, zones, facts) => {
    refuseOtherZones(zones);
    return zonalSubnets(flags, zones, facts);
  },
  placesByZone: false,
  utilitySubnets: true,
  sharesAllSubnets: true,
  encryptsEtcd: true,
  numbersControlPlanes: false,
  networkHasRange: true,
  assignNetwork: (spec, facts) => assignSubnetCidrs(withNetworkCidr(spec, facts), facts.sharedNetwork, LONGEST_PREFIX),
  // The metadata service.
  reachedWithoutProxy: '169.254.169.254',
  images: { amd64: ubuntu('amd64'), arm64: ubuntu('arm64') },
  // kops asks AWS for the first of its candidates that every zone offers; these are the first candidates.
  machineTypes: everywhere('t3.medium', 't3.micro'),
  architectureOf,
  mixesSizes: true,
  instanceMetadata: (role, kubernetesVersion) => {
    // Later images of Ubuntu demand tokens by themselves.
    if (kubernetesFacts(kubernetesVersion)?.ubuntu !== 'focal') return undefined;
    return role === 'controlPlane'
      ? { httpTokens: 'required' }
      : { httpTokens: 'required', httpPutResponseHopLimit: 1 };
  },
  networkings: {
    'amazon-vpc-routed-eni': { networking: { amazonvpc: {} } },
    amazonvpc: { networking: { amazonvpc: {} } },
    'cilium-eni': { networking: { cilium: { ...CILIUM, ipam: 'eni' } }, replacesKubeProxy: true },
  },
  loadBalancer: apiLoadBalancer,
  hasIpv6: true,
  hasKarpenter: true,
  issuerGives: {
    serviceAccountIssuerDiscovery: { enableAWSOIDCProvider: true },
    iam: { allowContainerRegistry: true, legacy: false, useServiceAccountExternalPermissions: true },
  },
};

/** A cluster is in zones of one region. */
function refuseOtherZones(zones: readonly string[]): void {
  const [first = '', ...others] = zones;
  const unknown = zones.find((zone) => !isAwsZone(zone));
  if (unknown !== undefined) {
    throw refusal(`'${unknown}' is not a zone of AWS`, 'write the region and a letter, such as us-east-1a');
  }
  const elsewhere = others.find((zone) => regionOfZone(zone) !== regionOfZone(first));
  if (elsewhere === undefined) return;
  throw refusal(`the zones ${first} and ${elsewhere} are in two regions`, 'make a cluster for each region');
}

function withNetworkCidr(spec: ClusterSpec, { sharedNetwork }: CreateClusterFacts): ClusterSpec {
  const networkCIDR = spec.networkCIDR ?? (spec.networkID === undefined ? VPC_CIDR : sharedNetwork?.cidr);
  // With amazonvpc, pods have addresses of the VPC. kops says so only where it decides the range (upup/pkg/fi/cloudup/defaults.go).
  const podsInVpc =
    spec.networking?.amazonvpc !== undefined && spec.nonMasqueradeCIDR === undefined && spec.networkCIDR === undefined;
  return {
    ...spec,
    ...given({ networkCIDR }),
    ...(podsInVpc ? given({ nonMasqueradeCIDR: networkCIDR }) : {}),
  };
}
