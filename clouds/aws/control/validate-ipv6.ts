import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { isIpv6Alone, roleOf } from '@kopsctl/spec/names.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** What keeps the machines of a cluster with IPv6 alone from joining, or the load balancer from reaching them. */
export function* validateIpv6(spec: ClusterSpec, groups: readonly InstanceGroup[]): Iterable<Fault> {
  if (!isIpv6Alone(spec)) return;
  if (kubernetesFacts(spec.kubernetesVersion ?? '')?.externalCloudProvider === false) {
    const why = `the cloud provider within Kubernetes ${spec.kubernetesVersion} gives Nodes no IPv6 addresses`;
    yield fault('spec.kubernetesVersion', why, 'write 1.24 or newer');
  }
  const families = spec.cloudConfig?.nodeIPFamilies;
  if (families !== undefined && !families.includes('ipv6')) {
    const why = `Nodes would have no IPv6 addresses (${families.join(', ')}), by which their kubelets register them in this cluster`;
    yield fault('spec.cloudConfig.nodeIPFamilies', why, 'write ipv6 and ipv4, or remove it');
  }
  const inSubnet = (name: string | undefined) => groups.filter((group) => group.spec.subnets?.includes(name ?? ''));
  for (const [index, { name, id = '', type, cidr = '', ipv6CIDR = '' }] of (spec.subnets ?? []).entries()) {
    // The ranges of a subnet that exists already are known to AWS.
    if (id !== '') continue;
    const path = `spec.subnets[${index}]`;
    const machines = inSubnet(name).filter((group) => roleOf(group) !== 'Bastion');
    // create cluster puts groups of API servers into such subnets, as in kops: control planes then serve the load balancer.
    const balanced = machines.filter((group) => roleOf(group) === 'ControlPlane');
    if (machines.length > 0 && ipv6CIDR === '') {
      const why = `the machines of ${namesOf(machines)} would have no IPv6 address, by which they are known in this cluster`;
      yield fault(`${path}.ipv6CIDR`, why, 'write a part of the range of the VPC, such as /64#1, or 2001:db8:0:1::/64');
    }
    // All but private subnets have ranges once that of the network is known.
    const hasIpv4 = cidr !== '' || (type !== 'Private' && spec.networkCIDR === undefined);
    if (balanced.length > 0 && !hasIpv4 && spec.api?.loadBalancer !== undefined) {
      const why = `the load balancer of the API reaches the machines of ${namesOf(balanced)} by IPv4, which this subnet does not have`;
      yield fault(`${path}.cidr`, why, 'write a range, or put the group into a subnet of type DualStack');
    }
  }
}

const namesOf = (groups: readonly InstanceGroup[]): string => groups.map(({ metadata }) => metadata.name).join(', ');
