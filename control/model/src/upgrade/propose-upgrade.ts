import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { etcdVersionsBehind, etcdVersionsOf } from './etcd-versions.ts';
import { type ImagesOfChannel, newerImage } from './newer-image.ts';

/** A field of the spec that an upgrade changes, as kops names it to people. */
export interface Proposal {
  /** `Cluster` or `InstanceGroup/<name>`. */
  readonly item: string;
  readonly property: string;
  /** Empty where the spec does not set it. */
  readonly old: string;
  readonly new: string;
  readonly change: SpecChange;
}

/** What is written to an object of the spec. */
export interface SpecChange {
  readonly kind: 'Cluster' | 'InstanceGroup';
  readonly name: string;
  /** `path=value`, in the syntax of --set. */
  readonly set: readonly string[];
}

/** What an upgrade is about, besides the version. */
export interface ProposalInput {
  readonly cluster: Cluster;
  readonly instanceGroups: readonly InstanceGroup[];
  /** The channel that a person named for it. */
  readonly channel: string | undefined;
  /** The version that was applied last, and the one that is wanted. */
  readonly applied: string;
  readonly target: string;
  /** The images of the channel for a group's machines and the wanted version. */
  readonly imagesOf: (group: InstanceGroup) => ImagesOfChannel | undefined;
}

/** What an upgrade changes in the spec, in the order in which kops lists it. Pure. */
export function proposeUpgrade(input: ProposalInput): readonly Proposal[] {
  const { cluster, instanceGroups, channel, applied, target, imagesOf } = input;
  const ofCluster = (property: string, old: string, wanted: string, path: string): Proposal => ({
    item: 'Cluster',
    property,
    old,
    new: wanted,
    change: { kind: 'Cluster', name: cluster.metadata.name, set: [`${path}=${wanted}`] },
  });
  const { channel: formerChannel = '', kubernetesVersion = applied } = cluster.spec;
  return [
    ...(channel === undefined || channel === formerChannel
      ? []
      : [ofCluster('Channel', formerChannel, channel, 'spec.channel')]),
    ...(bareVersion(applied) === target && bareVersion(kubernetesVersion) === target
      ? []
      : [ofCluster('KubernetesVersion', bareVersion(applied), target, 'spec.kubernetesVersion')]),
    ...etcdVersionsBehind(etcdVersionsOf(cluster), target).map(({ name, index, version, wanted }) =>
      ofCluster(`EtcdVersion/${name}`, version, wanted, `spec.etcdClusters[${index}].version`),
    ),
    ...instanceGroups.flatMap((group): readonly Proposal[] => {
      const images = imagesOf(group);
      const image = images && newerImage(group.spec.image, images);
      if (image === undefined) return [];
      const { name } = group.metadata;
      return [
        {
          item: `InstanceGroup/${name}`,
          property: 'Image',
          old: group.spec.image ?? '',
          new: image,
          change: { kind: 'InstanceGroup', name, set: [`spec.image=${image}`] },
        },
      ];
    }),
  ];
}
