import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { type NodeNaming, nodeNaming } from '../node/node-name.ts';

/** How the Nodes of a cluster are named, by its spec. */
export const namingOf = ({ kubernetesVersion, spec }: ClusterFacts): NodeNaming =>
  nodeNaming({ kubernetesVersion, namesFromAddresses: spec.cloudConfig?.useIPBasedNodeNames === true });
