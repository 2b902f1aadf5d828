import { parseCidr } from '@kopsctl/spec/cidr.ts';
import type { CloudTraits } from '@kopsctl/spec/cloud-traits.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { kebabCase } from '@kopsctl/spec/flag-name.ts';
import { isPrefixList } from '@kopsctl/spec/prefix-list.ts';
import { setFields, unsetFields } from '../set-fields/set-fields.ts';
import { chooseCloud } from './choose-cloud.ts';
import type { CreatableCloud, InferredCluster } from './cloud-creation.ts';
import { creationRecord, type CreationRecord } from './inferred-values.ts';
import type { CreateClusterFacts, CreateClusterFlags } from './flags.ts';
import { refusal } from './refusal.ts';

/** A new cluster, and the values in it that no flag named. */
export interface CreatedCluster extends InferredCluster {
  readonly record: CreationRecord;
}

/**
 * Infers a cluster from flags as kops does (upup/pkg/fi/cloudup/new_cluster.go and cmd/kops/create_cluster.go). Pure:
 * `facts` has what only a cloud knows.
 *
 * @throws ActionableError if the flags make no cluster
 */
export function inferCluster(
  flags: CreateClusterFlags,
  facts: CreateClusterFacts,
  clouds: readonly CreatableCloud[],
): CreatedCluster {
  const cloud = chooseCloud(flags, facts.stateStoreUrl, clouds);
  refuseBadRanges(flags, cloud.traits);
  refuseFlagsOfOthers(flags, cloud.name);
  const { creation } = cloud;
  const { spec, instanceGroups } = creation.infer(flags, facts);
  const inferred: Cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: flags.name },
    spec,
  };
  const cluster = withoutKubeProxy(setFields(unsetFields(inferred, flags.unset ?? []), flags.set ?? []));
  const finished = { cluster: { ...cluster, spec: creation.finish(cluster, facts) }, instanceGroups };
  return { ...finished, record: creationRecord(flags, finished) };
}

/** Calico's eBPF does the work of kube-proxy, and its agent takes the port on which kube-proxy reports its health. */
function withoutKubeProxy(cluster: Cluster): Cluster {
  const { networking, kubeProxy } = cluster.spec;
  if (networking?.calico?.bpfEnabled !== true || kubeProxy?.enabled !== undefined) return cluster;
  return { ...cluster, spec: { ...cluster.spec, kubeProxy: { ...kubeProxy, enabled: false } } };
}

function refuseBadRanges(
  { networkCidr = [], adminAccess = [], sshAccess = [] }: CreateClusterFlags,
  { hasPrefixLists }: CloudTraits,
): void {
  const isRange = (text: string) => parseCidr(text) !== undefined;
  const isAccess = (text: string) => isRange(text) || (hasPrefixLists && isPrefixList(text));
  const flags = [
    ['network-cidr', networkCidr, isRange],
    ['admin-access', adminAccess, isAccess],
    ['ssh-access', sshAccess, isAccess],
  ] as const;
  for (const [flag, ranges, isGood] of flags) {
    const bad = ranges.find((range) => !isGood(range));
    if (bad !== undefined) throw refusal(`--${flag} '${bad}' is not a range of addresses`, 'write it like 10.0.0.0/16');
  }
}

function refuseFlagsOfOthers({ own = {} }: CreateClusterFlags, cloud: string): void {
  for (const [name, { value, onlyFor }] of Object.entries(own)) {
    if (onlyFor === undefined || onlyFor === cloud || value === '' || value === false) continue;
    throw refusal(`clusters on ${cloud} have no --${kebabCase(name)}`, 'leave it out');
  }
}
