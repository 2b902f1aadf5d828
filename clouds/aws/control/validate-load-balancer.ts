import { contains, parseCidr } from '@kopsctl/spec/cidr.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { faultsOfSecurityGroups } from './validate-security-groups.ts';

type LoadBalancer = NonNullable<NonNullable<ClusterSpec['api']>['loadBalancer']>;

const PATH = 'spec.api.loadBalancer';

/** The load balancer of the API (kops pkg/apis/kops/validation/aws.go). */
export function* validateLoadBalancer(spec: ClusterSpec): Iterable<Fault> {
  const wish = spec.api?.loadBalancer;
  if (wish === undefined) return;
  yield* classOf(wish);
  yield* faultsOfSecurityGroups(`${PATH}.additionalSecurityGroups`, wish.additionalSecurityGroups);
  if (wish.securityGroupOverride !== undefined && !wish.securityGroupOverride.startsWith('sg-')) {
    const message = `'${wish.securityGroupOverride}' is not the id of a security group`;
    yield fault(`${PATH}.securityGroupOverride`, message, 'such as sg-0123456789abcdef0');
  }
  if (wish.type === 'Internal' && wish.useForInternalApi === true) {
    // Targets of an internal network load balancer cannot reach themselves through it while client addresses are preserved.
    const message = 'a control plane cannot reach itself through an internal network load balancer';
    yield fault(`${PATH}.useForInternalApi`, message, 'remove this field');
  }
  if (wish.sslPolicy !== undefined && (wish.sslCertificate ?? '') === '') {
    yield fault(`${PATH}.sslPolicy`, 'TLS ends at the API servers', 'set sslCertificate, or remove this field');
  }
  yield* subnetsOf(wish, spec);
}

/** kops 1.37 has removed classic load balancers (docs/releases/1.37-NOTES.md), and says the same. */
function* classOf({ class: found }: LoadBalancer): Iterable<Fault> {
  if (found === undefined || found === 'Network') return;
  if (found !== 'Classic') {
    yield fault(`${PATH}.class`, `expected Network, found '${found}'`);
    return;
  }
  yield fault(
    `${PATH}.class`,
    'classic load balancers are not supported: the API gets a network load balancer',
    'write Network; in a running cluster, kubeconfigs and DNS records change with the address of the API',
  );
}

/** A subnet that is not found would be left out silently, and with it a zone. */
function* subnetsOf({ subnets = [], type }: LoadBalancer, cluster: ClusterSpec): Iterable<Fault> {
  if (cluster.subnets === undefined) return;
  const known = cluster.subnets.flatMap(({ name }) => name ?? []);
  for (const [index, { name = '', privateIPv4Address: address, allocationId }] of subnets.entries()) {
    const path = `${PATH}.subnets[${index}]`;
    const subnet = cluster.subnets.find((one) => one.name === name);
    if (name === '') yield fault(`${path}.name`, 'must be set', `the cluster's subnets: ${known.join(', ')}`);
    else if (subnet === undefined) {
      const near = nearestName(name, known);
      yield fault(
        `${path}.name`,
        `the cluster has no subnet '${name}'`,
        near === undefined ? `its subnets: ${known.join(', ') || 'none'}` : `did you mean ${near}?`,
      );
    }
    if (address !== undefined) {
      const message = faultOfAddress(address, type, subnet?.cidr);
      if (message !== undefined) yield fault(`${path}.privateIPv4Address`, message);
    }
    if (allocationId === undefined) continue;
    if (allocationId === '') yield fault(`${path}.allocationId`, 'is empty', 'write eipalloc-…, or remove this field');
    if (type === 'Internal') {
      yield fault(`${path}.allocationId`, 'an internal load balancer has no elastic IP', 'remove this field');
    }
  }
}

function faultOfAddress(address: string, type: string | undefined, cidr: string | undefined): string | undefined {
  const [own, range] = [parseCidr(`${address}/32`), parseCidr(cidr ?? '')];
  if (own?.family !== 'ipv4') return `'${address}' is not an IPv4 address`;
  if (range !== undefined && !contains(range, own)) return `${address} is not within the subnet (${cidr})`;
  return type === 'Internal' ? undefined : 'only an internal load balancer has private addresses of its own';
}
