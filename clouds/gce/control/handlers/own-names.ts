import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { CLUSTER_LABEL, isOfCluster } from '../../node/labels.ts';
import { namedNetwork } from '../named-network.ts';
import { networkName, suffixed } from '../names.ts';
import { type ResourcePath, pathIn, resourcePath } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';

/**
 * How resources without labels are recognised as the cluster's: their names are those that a cluster of this name
 * gives, and nothing about them contradicts this. An ending alone proves nothing: `api-a-b` may belong to the cluster
 * `b` or to `a-b`.
 */
interface Claim {
  readonly gce: GceCloud;
  /** The subnets in the cluster's own network, for resources that name a subnet instead of a network. */
  readonly ownSubnets?: ReadonlySet<string>;
  /** What the names begin with, where the spec of the cluster is enough to know it. */
  readonly objects: readonly string[];
}

/** Whether a resource is one of the cluster. */
export function isOwn(answer: AnswerFields, { gce, objects, ownSubnets }: Claim): boolean {
  const labels = answer.textsByName('labels');
  if (CLUSTER_LABEL in labels) return isOfCluster(gce.clusterName, labels);
  const name = answer.text('name');
  const own = ownNetwork(gce);
  const [network, subnet] = [answer.text('network', ''), answer.text('subnetwork', '')].map(pathIn);
  // In its own network, everything with its name is the cluster's, including what belongs to subnets that it had before.
  if (own !== undefined && network !== '') return network === own && isSuffixed(name, gce.clusterName);
  if (ownSubnets?.has(subnet ?? '') === true) return isSuffixed(name, gce.clusterName);
  return objects.some((object) => name === suffixed(object, gce.clusterName));
}

/** The network that the cluster has made; undefined if it is in a network of others. */
export function ownNetwork({ cluster, clusterName, project }: GceCloud): ResourcePath | undefined {
  const shared = cluster.spec.networkID;
  if (shared !== undefined && shared !== '') return undefined;
  return resourcePath(project, 'global', 'networks', networkName(clusterName));
}

/** The project of the network, where its firewall rules and routers are. */
export function networkProject({ cluster, project }: GceCloud): string {
  return namedNetwork(cluster.spec.networkID ?? '', project).project;
}

/** The names of the subnets in the spec. */
export const subnetNames = ({ cluster }: GceCloud): readonly string[] =>
  (cluster.spec.subnets ?? []).flatMap(({ name }) => name ?? []);

/** Whether a name is one that `suffixed` gives, whatever it begins with. */
export const isSuffixed = (name: string, clusterName: string): boolean =>
  [...name.matchAll(/-/g)].some(({ index }) => suffixed(name.slice(0, index), clusterName) === name);
