import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { usesAliasRanges } from './alias-ranges.ts';
import { isDiskType, takesHyperdiskAlone } from './machine-types.ts';
import { DISK_HINT, HYPERDISK_HINT, validateGroup } from './validate-group.ts';
import { validateIssuerStore } from './validate-issuer-store.ts';
import { validateLoadBalancer } from './validate-load-balancer.ts';

/** What Google refuses, and what would be ignored silently (kops pkg/apis/kops/validation/gce.go). */
export function* validateGce({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  if (spec.project === undefined || spec.project === '') {
    yield fault('spec.project', 'is missing', 'write the id of the project that is to have the cluster');
  }
  if (spec.networkCIDR !== undefined) {
    yield fault('spec.networkCIDR', 'networks in GCE have no range', 'set spec.subnets[].cidr instead');
  }
  const ipv6 = (['podCIDR', 'serviceClusterIPRange'] as const).filter((field) => spec[field]?.includes(':') === true);
  for (const field of ipv6) {
    // The ranges of nodes would have to come from the addresses of their machines, and only kops-controller hands these out.
    yield fault(`spec.${field}`, 'nodes in GCE do not get IPv6 ranges for their pods', 'write an IPv4 range');
  }
  if (kubernetesFacts(spec.kubernetesVersion ?? '')?.externalCloudProvider === false) {
    const why = `Kubernetes ${spec.kubernetesVersion} uses its in-tree cloud provider, which machines in GCE are not configured for`;
    yield fault('spec.kubernetesVersion', why, 'write 1.24 or newer');
  }
  if (spec.karpenter?.enabled === true) {
    yield fault('spec.karpenter', 'Karpenter has no provider for GCE', 'remove this field');
  }
  yield* validateIssuerStore(spec);
  yield* validateLoadBalancer(spec);
  yield* validateSubnets(spec);
  yield* validateEtcdDisks(spec, groups);
  for (const group of groups) yield* validateGroup(group, spec);
}

function* validateSubnets(spec: ClusterSpec): Iterable<Fault> {
  const subnets = spec.subnets ?? [];
  const [first] = subnets;
  for (const [index, { id, cidr, zone, region, ipv6CIDR, egress = '' }] of subnets.entries()) {
    const path = `spec.subnets[${index}]`;
    if (zone !== undefined) yield fault(`${path}.zone`, 'subnets in GCE span all zones of a region', 'set region');
    if (ipv6CIDR !== undefined) yield fault(`${path}.ipv6CIDR`, 'Google assigns this range', 'remove this field');
    if (region === undefined) {
      yield fault(`${path}.region`, 'is missing', 'write the region of the zones, such as us-east1');
    } else if (region !== first?.region) {
      yield fault(`${path}.region`, `differs from that of spec.subnets[0] (${first?.region})`);
    }
    if ((id === undefined) !== (first?.id === undefined)) {
      yield fault(`${path}.id`, 'either all subnets exist already or none does');
    }
    if (id !== undefined && (spec.networkID === undefined || spec.networkID === '')) {
      const why = 'is a subnet of a network that is not named, and the cluster would get a network of its own';
      yield fault(`${path}.id`, why, 'set spec.networkID to the network: NAME, or PROJECT/NAME');
    }
    if (id === undefined && cidr === undefined && spec.networkID !== undefined) {
      const why = 'is missing: only the owner of a shared network knows which of its ranges are free';
      yield fault(`${path}.cidr`, why, 'write a free range, or the id of an existing subnet');
    }
    if (!['', 'nat', 'External'].includes(egress)) {
      yield fault(`${path}.egress`, `'${egress}' is not supported on GCE`, 'choose nat or External');
    }
  }
  if (usesAliasRanges(spec) && subnets.length > 1) {
    yield fault('spec.subnets', 'pods in ranges of the subnet require exactly one', 'remove the others');
  }
}

/** A disk of etcd is attached to a machine of its member's group. */
function* validateEtcdDisks({ etcdClusters = [] }: ClusterSpec, groups: readonly InstanceGroup[]): Iterable<Fault> {
  for (const [cluster, { etcdMembers = [] }] of etcdClusters.entries()) {
    for (const [index, { instanceGroup, volumeType }] of etcdMembers.entries()) {
      const { machineType = '' } = groups.find(({ metadata }) => metadata.name === instanceGroup)?.spec ?? {};
      const path = `spec.etcdClusters[${cluster}].etcdMembers[${index}].volumeType`;
      if (volumeType !== undefined && volumeType !== '' && !isDiskType(volumeType)) {
        yield fault(path, `'${volumeType}' is not a type of disks in GCE`, DISK_HINT);
      }
      if (volumeType?.startsWith('pd-') !== true || !takesHyperdiskAlone(machineType)) continue;
      yield fault(path, `the ${machineType} machines of ${instanceGroup} support only Hyperdisks`, HYPERDISK_HINT);
    }
  }
}
