import { addressAt, formatCidr, overlaps, parseCidr, type Cidr } from '@kopsctl/spec/cidr.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CloudRules } from './cloud-rules.ts';
import { given } from './given.ts';
import { refusal } from './refusal.ts';
import { regionalSubnets } from './regional-subnets.ts';

/** Where networks of GCE are laid out (kops upup/pkg/fi/cloudup/gce/network.go). */
const PRIVATE_RANGE = '10.0.0.0/8';
const SUBNET_BITS = 20;
/** With alias addresses pods and services are ranges of the subnet, so it has to be larger. */
const ALIAS = { podBits: 14, serviceBits: 16, subnetBits: 19 } as const;

export const gce: CloudRules = {
  name: 'gce',
  settings: ({ project, gceServiceAccount }) => {
    if (project === undefined || project === '') {
      throw refusal('GCE needs a project', 'name it with --project, or `gcloud config set project NAME`');
    }
    return { project, cloudConfig: given({ gceServiceAccount }) };
  },
  subnets: (flags, zones) =>
    regionalSubnets(flags, zones, { nameOf: (region) => region, regionOf: regionOfZone, cloud: 'GCE' }),
  placesByZone: true,
  utilitySubnets: false,
  encryptsEtcd: false,
  numbersControlPlanes: false,
  networkHasRange: false,
  assignNetwork: (spec) => (spec.networking?.gce === undefined ? assignSubnets(spec) : assignAliases(spec)),
};

/** `us-central1-a` is in `us-central1`. */
function regionOfZone(zone: string): string {
  const [continent, area, letter] = zone.split('-');
  if (continent === undefined || area === undefined || letter === undefined) {
    throw refusal(`'${zone}' is no zone of GCE`, 'zones are called like us-central1-a');
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
    throw refusal('alias addresses need exactly one subnet', 'name zones of one region with --zones');
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

/** Hands out ranges of the private range one after another; like kops, never the first, which many networks use. */
function allocator(spec: ClusterSpec): (bits: number) => string {
  const whole = parseCidr(PRIVATE_RANGE);
  if (whole === undefined) throw new Error(`${PRIVATE_RANGE} is no range`);
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
