import type { CloudName, SpecCloud } from '@kopsctl/spec/cloud.ts';
import { CLUSTER_LABEL, type InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CloudCreation, WantedGroup } from '@kopsctl/model/create-cluster/cloud-creation.ts';
import type { CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { given, nonEmpty } from '@kopsctl/model/create-cluster/given.ts';
import { kubernetesVersionOf } from '@kopsctl/model/create-cluster/kubernetes-version.ts';
import { networkingOf } from '@kopsctl/model/create-cluster/networking.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';

/** The flags that apply to machines on this computer. */
const MEANINGFUL: readonly string[] = [
  'cloud',
  'controlPlane',
  'kubernetesVersion',
  'name',
  'networkCidr',
  'networking',
  'node',
  'set',
  'unset',
] satisfies readonly (keyof CreateClusterFlags)[];

/** The minimal spec of a cluster on this computer; the rest is inferred when it is applied. */
function localCluster(
  flags: CreateClusterFlags,
  cloud: SpecCloud & { readonly name: CloudName },
): {
  readonly spec: ClusterSpec;
  readonly instanceGroups: readonly InstanceGroup[];
} {
  refuseMeaningless(flags);
  const group = (name: string, role: 'Master' | 'Node', size: number): InstanceGroup => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name, labels: { [CLUSTER_LABEL]: flags.name } },
    spec: { role, minSize: size, maxSize: size },
  });
  const controlPlanes = flags.controlPlane?.count ?? 1;
  if (controlPlanes % 2 === 0)
    throw refusal(`${controlPlanes} control planes cannot form a majority`, 'choose 1, 3 or 5');
  return {
    spec: {
      cloudProvider: cloud.name,
      ...given({
        kubernetesVersion: nonEmpty(flags.kubernetesVersion) === undefined ? undefined : kubernetesVersionOf(flags, {}),
        networking: nonEmpty(flags.networking) === undefined ? undefined : networkingOf(flags, cloud).networking,
        networkCIDR: flags.networkCidr?.[0],
      }),
    },
    instanceGroups: [group('control-plane', 'Master', controlPlanes), group('nodes', 'Node', flags.node?.count ?? 1)],
  };
}

function refuseMeaningless({ own = {}, ...flags }: CreateClusterFlags): void {
  const ofOthers = Object.entries(own).map(([name, { value }]) => [name, value] as const);
  const names = [...Object.entries(flags), ...ofOthers]
    .filter(([name, value]) => !MEANINGFUL.includes(name) && isSet(value))
    .map(([name]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  if (names.length === 0) return;
  throw refusal(
    `${names.join(', ')} ${names.length === 1 ? 'does' : 'do'} not apply to machines on this computer`,
    'choose a cloud with --cloud, or omit them',
  );
}

const isSet = (value: unknown): boolean =>
  value !== undefined &&
  value !== false &&
  value !== '' &&
  !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function localGroup(cluster: string, { name, role }: WantedGroup): InstanceGroup {
  if (role !== 'controlPlane' && role !== 'node') {
    throw refusal('local machines are control planes or nodes', 'choose --role control-plane or --role node');
  }
  return {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name, labels: { [CLUSTER_LABEL]: cluster } },
    spec: { role: role === 'node' ? 'Node' : 'Master', minSize: 1, maxSize: 1 },
  };
}

/** How clusters on this computer are inferred. */
export const localCreation = (cloud: SpecCloud & { readonly name: CloudName }): CloudCreation => ({
  infer: (flags) => localCluster(flags, cloud),
  finish: ({ spec }) => spec,
  instanceGroup: ({ metadata }, wanted) => localGroup(metadata.name, wanted),
  leftOpen: () => [],
});
