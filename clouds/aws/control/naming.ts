import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { type NodeNaming, nodeNaming } from '../node/node-name.ts';
import { instancesFoundById } from './kubernetes-versions.ts';

type Naming = Pick<ClusterFacts, 'kubernetesVersion' | 'spec'>;

/** Whether Nodes have the DNS names of their addresses: the spec wants it, or the version can do nothing else. */
export const namesFromAddresses = ({ kubernetesVersion, spec }: Naming): boolean =>
  spec.cloudConfig?.useIPBasedNodeNames === true || !instancesFoundById(kubernetesVersion);

/** How the Nodes of a cluster are named. */
export const namingOf = (facts: Naming): NodeNaming => nodeNaming({ namesFromAddresses: namesFromAddresses(facts) });
