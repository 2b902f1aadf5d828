import { addressAt, formatCidr, overlaps, parseCidr, type Cidr } from '@kopsctl/spec/cidr.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { CILIUM } from '@kopsctl/model/create-cluster/networking.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';
import { regionalSubnets } from '@kopsctl/model/create-cluster/regional-subnets.ts';

/** The range from which networks of GCE are allocated (kops upup/pkg/fi/cloudup/gce/network.go). */
const PRIVATE_RANGE = '10.0.0.0/8';
const SUBNET_BITS = 20;
/** With alias IPs, pods and services use ranges of the subnet, so it has to be larger. */
const ALIAS = { podBits: 14, serviceBits: 16, subnetBits: 19 } as const;

export const gceCreation: CloudRules = {
  settings: ({ project, gceServiceAccount }) => {
    if (project === undefined || project === '') {
      throw refusal('GCE needs a project', 'name it with --project, or `gcloud config set project NAME`');
    }
    return { project, cloudConfig: given({ gceServiceAccount }) };
  },
  subnets: (flags, zones) =>
    regionalSubnets(flags, zones, { nameOf: (region) => region, regionOf: regionOfZone, cloud: 'GCE' }),
  placesByZone: true,
  placesBastionsByZone: true,
  subnetsTellNetwork: true,
  utilitySubnets: false,
  encryptsEtcd: false,
  numbersControlPlanes: false,
  networkHasRange: false,
  assignNetwork: (spec) => (spec.networking?.gce === undefined ? assignSubnets(spec) : assignAliases(spec)),
  images: {
    amd64: {
      focal: 'ubuntu-os-cloud/ubuntu-2004-focal-v20221018',
      jammy: 'ubuntu-os-cloud/ubuntu-2204-jammy-v20230919',
      noble: 'ubuntu-os-cloud/ubuntu-2404-noble-amd64-v20260615',
    },
  },
  machineTypes: everywhere('e2-medium', 'e2-micro'),
  networkings: {
    gce: { networking: { gce: {} } },
    gcp: { networking: { gce: {} } },
    'gcp-with-cilium': { networking: { gce: { cilium: CILIUM } }, replacesKubeProxy: true },
  },
  nodeLabels: (role, kubernetesVersion): Readonly<Record<string, string>> =>
    role === 'node' && kubernetesFacts(kubernetesVersion)?.gceMetadataProxy === true
      ? { 'cloud.google.com/metadata-proxy-ready': 'true' }
      : {},
};

/** The region of a zone: `us-central1-a` is in `us-central1`. */
function regionOfZone(zone: string): string {
  const [continent, area, letter] = zone.split('-');
  if (continent === undefined || area === undefined || letter === undefined) {
    throw refusal(`'${zone}' is not a GCE zone`, 'use a zone such as us-central1-a');
  }
  return `${continent}-${area}`;
}

function assignSubnets(spec: ClusterSpec): ClusterSpec {
  const allocate = allocator(spec);
  const subnets = (spec.subnets ?? []).map((subnet) =>
    subnet.id !== undefined || subnet.cidr !== undefined ? subnet : { ...subnet, cidr: allocate(SUBNET_BITS) },
  );
  return { ...spec, subnets };
}

function assignAliases(spec: ClusterSpec): ClusterSpec {
  const [subnet, ...others] = spec.subnets ?? [];
  if (subnet === undefined || others.length > 0) {
    throw refusal('alias IPs require exactly one subnet', 'name zones of one region with --zones');
  }
  const allocate = allocator(spec);
  const podCIDR = spec.podCIDR ?? allocate(ALIAS.podBits);
  const serviceClusterIPRange = spec.serviceClusterIPRange ?? allocate(ALIAS.serviceBits);
  const cidr = subnet.cidr ?? allocate(ALIAS.subnetBits);
  return {
    ...spec,
    podCIDR,
    serviceClusterIPRange,
    nonMasqueradeCIDR: spec.nonMasqueradeCIDR ?? PRIVATE_RANGE,
    subnets: [{ ...subnet, cidr }],
  };
}

/** Allocates consecutive ranges of the private range; like kops, never the first one, which many networks use. */
function allocator(spec: ClusterSpec): (bits: number) => string {
  const whole = parseCidr(PRIVATE_RANGE);
  if (whole === undefined) throw new Error(`${PRIVATE_RANGE} is not a range`);
  const used: Cidr[] = [spec.podCIDR, spec.serviceClusterIPRange, ...(spec.subnets ?? []).map(({ cidr }) => cidr)]
    .map((text) => parseCidr(text ?? ''))
    .filter((range) => range !== undefined);
  return (bits) => {
    for (let index = 1; index < 2 ** (bits - whole.bits); index++) {
      const first = addressAt(whole, index * 2 ** (32 - bits));
      const range = parseCidr(`${first}/${bits}`);
      if (range === undefined || used.some((one) => overlaps(one, range))) continue;
      used.push(range);
      return formatCidr(range);
    }
    throw refusal(`${PRIVATE_RANGE} has no /${bits} left`, 'set spec.subnets[0].cidr with --set');
  };
}
