import { CLUSTER_LABEL, type InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CreateClusterFlags } from './flags.ts';
import { given, nonEmpty } from './given.ts';
import { kubernetesVersionOf } from './kubernetes-version.ts';
import { networkingOf } from './networking.ts';
import { refusal } from './refusal.ts';

/** What machines on this computer have a use for. */
const MEANINGFUL: readonly (keyof CreateClusterFlags)[] = [
  'cloud',
  'controlPlane',
  'kubernetesVersion',
  'name',
  'networkCidr',
  'networking',
  'node',
  'set',
  'unset',
];

/** The shortest spec of machines on this computer: everything else is inferred when it is applied. */
export function localCluster(flags: CreateClusterFlags): {
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
  if (controlPlanes % 2 === 0) throw refusal(`${controlPlanes} control planes make no majority`, 'choose 1, 3 or 5');
  return {
    spec: {
      cloudProvider: 'local',
      ...given({
        kubernetesVersion: nonEmpty(flags.kubernetesVersion) === undefined ? undefined : kubernetesVersionOf(flags),
        networking: nonEmpty(flags.networking) === undefined ? undefined : networkingOf(flags, 'local').networking,
        networkCIDR: flags.networkCidr?.[0],
      }),
    },
    instanceGroups: [group('control-plane', 'Master', controlPlanes), group('nodes', 'Node', flags.node?.count ?? 1)],
  };
}

function refuseMeaningless(flags: CreateClusterFlags): void {
  const names = Object.entries(flags)
    .filter(([name, value]) => !(MEANINGFUL as readonly string[]).includes(name) && isSet(value))
    .map(([name]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  if (names.length === 0) return;
  throw refusal(
    `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no meaning for machines on this computer`,
    'name a cloud with --cloud, or leave them out',
  );
}

const isSet = (value: unknown): boolean =>
  value !== undefined &&
  value !== false &&
  value !== '' &&
  !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);
