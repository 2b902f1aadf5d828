import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CreateClusterFacts } from '@kopsctl/model/create-cluster/flags.ts';
import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { CILIUM } from '@kopsctl/model/create-cluster/networking.ts';
import { ownFlags } from '@kopsctl/model/create-cluster/own-flags.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';
import { regionalSubnets } from '@kopsctl/model/create-cluster/regional-subnets.ts';
import { architectureOf } from './machine-types.ts';
import { usesAliasRanges } from './alias-ranges.ts';
import { GCE_FLAGS } from './create-cluster-flags.ts';
import { hasMetadataProxy } from './kubernetes-versions.ts';
import { regionOfZone } from './region.ts';
import { PRIVATE_RANGE, subnetRanges } from './subnet-ranges.ts';

export const gceCreation: CloudRules = {
  settings: (flags) => {
    const { text } = ownFlags(flags, GCE_FLAGS);
    const project = text('project');
    if (project === undefined) {
      throw refusal('GCE needs a project', 'name it with --project, or `gcloud config set project NAME`');
    }
    return { project, cloudConfig: given({ gceServiceAccount: text('gceServiceAccount') }) };
  },
  subnets: (flags, zones, facts) =>
    regionalSubnets(flags, zones, facts, { nameOf: (region) => region, regionOf, cloud: 'GCE' }),
  placesByZone: true,
  placesBastionsByZone: true,
  utilitySubnets: false,
  encryptsEtcd: false,
  numbersControlPlanes: false,
  networkHasRange: false,
  assignNetwork: assignRanges,
  images: {
    amd64: {
      focal: 'ubuntu-os-cloud/ubuntu-2004-focal-v20240607',
      jammy: 'ubuntu-os-cloud/ubuntu-2204-jammy-v20250615',
      noble: 'ubuntu-os-cloud/ubuntu-2404-noble-amd64-v20260615',
    },
  },
  machineTypes: everywhere('e2-medium', 'e2-micro'),
  architectureOf,
  networkings: {
    gce: { networking: { gce: {} } },
    gcp: { networking: { gce: {} } },
    'gcp-with-cilium': { networking: { gce: { cilium: CILIUM } }, replacesKubeProxy: true },
  },
  nodeLabels: (role, kubernetesVersion): Readonly<Record<string, string>> =>
    role === 'node' && hasMetadataProxy(kubernetesVersion) ? { 'cloud.google.com/metadata-proxy-ready': 'true' } : {},
  issuerGives: {},
};

export function regionOf(zone: string): string {
  const region = regionOfZone(zone);
  if (region === undefined) throw refusal(`'${zone}' is not a GCE zone`, 'use a zone such as us-central1-a');
  return region;
}

/**
 * Pods in the subnet need ranges there; every other range is left to the subnets that lack one. Ranges that a network of
 * others already has are avoided.
 */
function assignRanges(spec: ClusterSpec, { sharedNetwork }: CreateClusterFacts): ClusterSpec {
  const aliases = usesAliasRanges(spec);
  if (aliases && spec.subnets?.length !== 1) {
    throw refusal('alias IPs require exactly one subnet', 'name zones of one region with --zones');
  }
  const taken = (sharedNetwork?.subnets ?? []).flatMap(({ cidr, furtherCidrs = [] }) => [cidr, ...furtherCidrs]);
  const ranges = subnetRanges(spec, taken);
  if (ranges === undefined) {
    throw refusal(`${PRIVATE_RANGE} has no room left`, 'set spec.subnets[0].cidr with --set');
  }
  const { subnets, ...others } = ranges;
  if (
    spec.networkID !== undefined &&
    sharedNetwork === undefined &&
    Object.keys({ ...subnets, ...others }).length > 0
  ) {
    throw refusal(
      `only Google knows which ranges of the network ${spec.networkID} are free`,
      'leave out --offline, or name free ones: --set spec.subnets[0].cidr=10.8.0.0/20',
    );
  }
  return {
    ...spec,
    ...others,
    ...(aliases && { nonMasqueradeCIDR: spec.nonMasqueradeCIDR ?? PRIVATE_RANGE }),
    ...(spec.subnets && {
      subnets: spec.subnets.map((subnet) => ({ ...subnet, ...given({ cidr: subnets[subnet.name ?? ''] }) })),
    }),
  };
}
