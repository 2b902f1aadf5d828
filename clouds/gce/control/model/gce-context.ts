import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { usesGossip } from '@kopsctl/model/discovery.ts';
import type { Output } from '@kopsctl/model/output.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import { namedNetwork } from '../named-network.ts';
import { networkName, subnetworkName } from '../names.ts';
import { projectOf, regionOf } from '../region.ts';
import { outputOf } from './gce-task.ts';

/** The input of every builder of GCE resources. */
export interface GceContext {
  readonly facts: ClusterFacts;
  readonly groups: readonly InstanceGroup[];
  readonly project: string;
  readonly region: string;
  readonly subnets: readonly ClusterSubnetSpec[];
  /** An existing network, and its project, which may be another one. */
  readonly sharedNetwork: { readonly name: string; readonly project: string } | undefined;
  readonly network: Output;
}

export function gceContext(facts: ClusterFacts, groups: readonly InstanceGroup[]): GceContext {
  const { spec, clusterName } = facts;
  const project = projectOf(clusterName, spec);
  const { networkID = '' } = spec;
  const sharedNetwork = networkID === '' ? undefined : namedNetwork(networkID, project);
  return {
    facts,
    groups,
    project,
    region: regionOf(clusterName, spec),
    subnets: spec.subnets ?? [],
    sharedNetwork,
    network: outputOf('gce/Network', sharedNetwork?.name ?? networkName(clusterName), 'link'),
  };
}

/** The name of the task of a subnet, which is that of the resource. */
export const subnetName = ({ facts }: GceContext, subnet: ClusterSubnetSpec): string =>
  subnetworkName(subnet, facts.clusterName);

/** What belongs to a network of another project is made there. */
export const besideNetwork = ({ sharedNetwork, project }: GceContext): { readonly project?: string } =>
  sharedNetwork === undefined || sharedNetwork.project === project ? {} : { project: sharedNetwork.project };

export const subnetLink = (context: GceContext, subnet: ClusterSubnetSpec): Output =>
  outputOf('gce/Subnetwork', subnetName(context, subnet), 'link');

/** The subnets of an instance group. */
export const subnetsOf = ({ subnets }: GceContext, group: InstanceGroup): readonly ClusterSubnetSpec[] =>
  (group.spec.subnets ?? []).flatMap((name) => subnets.filter((subnet) => subnet.name === name));

export const hasRole = ({ groups }: Pick<GceContext, 'groups'>, role: Role): boolean =>
  groups.some((group) => roleOf(group) === role);

export const hasLoadBalancer = ({ facts }: GceContext): boolean => facts.spec.api?.loadBalancer !== undefined;

/** Whether names resolve nowhere, so that machines know the control plane by the address of a load balancer alone. */
export const isWithoutNames = ({ facts }: GceContext): boolean => facts.spec.topology?.dns?.type === 'None';

/** Whether Cilium has an etcd of its own, whose clients run on every node. */
export const hasCiliumEtcd = ({ facts }: GceContext): boolean =>
  facts.etcdClusters.some(({ name }) => name === 'cilium');

/**
 * Whether machines reach kops-controller by the load balancer of the API: where there are no names, and where there is gossip.
 * Machines that kops made use it until they are replaced.
 */
export const balancesKopsController = (context: GceContext): boolean =>
  isWithoutNames(context) || usesGossip(context.facts);
