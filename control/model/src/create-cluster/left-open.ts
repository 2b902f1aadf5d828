import type { InferredCluster } from './cloud-creation.ts';
import type { CloudRules } from './cloud-rules.ts';

/** Sentences about values that could not be inferred. The user has to set them before the cluster can be made. */
export function leftOpen(
  { cluster, instanceGroups }: InferredCluster,
  { networkHasRange }: CloudRules,
): readonly string[] {
  const { cloudProvider, networkID, networkCIDR, subnets = [] } = cluster.spec;
  const sentences: string[] = [];
  const untyped = instanceGroups.filter(({ spec }) => spec.machineType === undefined && spec.manager === undefined);
  if (untyped.length > 0) {
    const names = untyped.map(({ metadata }) => metadata.name).join(', ');
    sentences.push(
      `no machine type is set for ${names}: the types differ between installations of ${cloudProvider}; name them with --control-plane-size and --node-size`,
    );
  }
  const shared = subnets.filter(({ id, cidr }) => id !== undefined && cidr === undefined);
  if (networkID !== undefined && networkCIDR === undefined && networkHasRange) {
    sentences.push(`the range of the network ${networkID} is left open: name it with --network-cidr`);
  }
  if (shared.length > 0) {
    sentences.push(`the ranges of shared subnets are left open: ${shared.map(({ id }) => id).join(', ')}`);
  }
  return sentences;
}
