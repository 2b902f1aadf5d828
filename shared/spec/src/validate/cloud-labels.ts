import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { fault, type Fault } from './fault.ts';

/** Labels by which resources of a cluster are found; those of a person would hide them (kops pkg/apis/kops/validation/cluster.go). */
const RESERVED: readonly string[] = ['Name', 'KubernetesCluster'];
const RESERVED_PREFIXES: readonly string[] = ['kubernetes.io/cluster/', 'k8s.io/role/', 'kops.k8s.io/'];

/** The label of a machine's group, which kops writes into groups with the group's own name. */
const GROUP_LABEL = 'kops.k8s.io/instancegroup';

export function* validateCloudLabels({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* faultsOf(Object.keys(spec.cloudLabels ?? {}));
  for (const { metadata, spec: group } of groups) {
    const { [GROUP_LABEL]: named, ...others } = group.cloudLabels ?? {};
    const keys = [...Object.keys(others), ...(named === undefined || named === metadata.name ? [] : [GROUP_LABEL])];
    for (const one of faultsOf(keys)) yield { ...one, instanceGroup: metadata.name };
  }
}

function* faultsOf(keys: readonly string[]): Iterable<Fault> {
  for (const key of keys) {
    if (!RESERVED.includes(key) && !RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix))) continue;
    const path = `spec.cloudLabels${/^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}`;
    yield fault(path, `the label '${key}' is the cluster's own: its resources are found by it`, 'choose another key');
  }
}
