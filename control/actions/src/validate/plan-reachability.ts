import { canonicalAddress } from '@kopsctl/pki/inspect.ts';
import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import { isPlaceholder } from '@kopsctl/dns/placeholder.ts';
import type { NodeStatus } from '../access/kubernetes-objects.ts';
import { isReady, type ValidationFailure } from './plan-validation.ts';

/** What a name of the cluster resolves to: addresses, or why it does not. */
export interface ResolvedName {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly failure?: string;
  /** Whether the name is that of a load balancer, whose addresses are not those of machines. */
  readonly isLoadBalanced: boolean;
}

/** A name that does not lead to the control planes. Pure. */
export function dnsFailures(
  { name, addresses, failure, isLoadBalanced }: ResolvedName,
  machines: readonly ExpectedNode[],
): readonly ValidationFailure[] {
  const fail = (message: string): readonly ValidationFailure[] => [{ kind: 'DNS', name, message }];
  if (failure !== undefined) return fail(`cannot be resolved: ${failure}`);
  if (addresses.length === 0) return fail('has no address');
  const placeholder = addresses.find(isPlaceholder);
  if (placeholder !== undefined) {
    return fail(
      `still has the placeholder address ${placeholder}, which no machine has; it is replaced once a control plane runs ` +
        'and its address is published, which takes a few minutes. If it stays, check protokube on a control plane ' +
        '(in clusters that kops made: dns-controller)',
    );
  }
  if (isLoadBalanced) return [];
  const servers = machines.filter(({ role }) => role === 'ControlPlane' || role === 'APIServer');
  // Without addresses of machines there is nothing to compare with.
  if (servers.some(({ addresses: own = [] }) => own.length === 0)) return [];
  const known = new Set(servers.flatMap(({ addresses: own = [] }) => own.map(canonicalAddress)));
  const foreign = addresses.filter((address) => !known.has(canonicalAddress(address)));
  return foreign.length === 0 ? [] : fail(`resolves to ${foreign.join(', ')}, which no control plane has`);
}

/** The addresses of a Service that are ready, undefined where the cluster has no such Service. */
export interface ObservedServices {
  /** default/kubernetes: an address for each API server. */
  readonly kubernetes: readonly string[] | undefined;
  /** kube-system/kube-dns, by which pods find all others. */
  readonly clusterDns: readonly string[] | undefined;
}

/** Services that lead nowhere, or not to all that they should. Pure. */
export function serviceFailures(
  { kubernetes, clusterDns }: ObservedServices,
  machines: readonly ExpectedNode[],
  nodes: readonly NodeStatus[],
): readonly ValidationFailure[] {
  const fail = (name: string, message: string): ValidationFailure => ({ kind: 'Service', name, message });
  if (kubernetes === undefined || kubernetes.length === 0) {
    return [fail('default/kubernetes', 'has no address: pods cannot reach the API server')];
  }
  const known = new Set(kubernetes.map(canonicalAddress));
  const serving = new Set(
    machines
      .filter(({ role, isDetached }) => (role === 'ControlPlane' || role === 'APIServer') && isDetached !== true)
      .map(({ nodeName }) => nodeName),
  );
  const missing = nodes.filter(
    (node) =>
      serving.has(node.name) &&
      isReady(node) &&
      (node.internalAddresses ?? []).length > 0 &&
      !(node.internalAddresses ?? []).some((address) => known.has(canonicalAddress(address))),
  );
  return [
    ...missing.map(({ name }) => fail('default/kubernetes', `does not lead to the API server of ${name}`)),
    ...(clusterDns?.length === 0
      ? [fail('kube-system/kube-dns', 'has no ready address: pods cannot resolve names')]
      : []),
  ];
}
