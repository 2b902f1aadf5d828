import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { CLUSTER_LABEL } from '@kopsctl/spec/instance-group.ts';
import semver from 'semver';
import type { ChannelImage } from '../upgrade/channel.ts';
import { type Architecture, type ChannelImages, imageFor, type MachineRole } from './channel.ts';
import type { CloudCreation } from './cloud-creation.ts';
import type { CloudRules } from './cloud-rules.ts';
import type { CreateClusterFlags, MachineFlags } from './flags.ts';
import { given, nonEmpty } from './given.ts';
import { refusal } from './refusal.ts';

/** What all groups of a cluster share. */
export interface GroupContext {
  /** The cloud's name. */
  readonly cloud: string;
  readonly flags: CreateClusterFlags;
  readonly rules: CloudRules;
  readonly kubernetesVersion: string;
  /** Those of the channel that --channel names. */
  readonly images?: readonly ChannelImage[];
}

const ROLE: Readonly<Record<MachineRole, NonNullable<InstanceGroupSpec['role']>>> = {
  controlPlane: 'Master',
  node: 'Node',
  apiServer: 'APIServer',
  bastion: 'Bastion',
};

/** The label by which workloads select a group. */
const GROUP_LABEL = 'kops.k8s.io/instancegroup';

export interface GroupShape {
  readonly name: string;
  readonly role: MachineRole;
  readonly size?: { readonly min: number; readonly max?: number };
  readonly subnets: readonly string[];
  readonly zones?: readonly string[];
  readonly machines?: MachineFlags;
  readonly manager?: string;
}

/** An instance group with the machines of its role and the settings of the flags. */
export function instanceGroup(shape: GroupShape, context: GroupContext): InstanceGroup {
  const { cloud, flags, rules, kubernetesVersion } = context;
  const { role, machines = {} } = shape;
  if (shape.subnets.length === 0) throw refusal(`no subnet is left for the group ${shape.name}`, 'name more --zones');
  const sizes = machines.sizes ?? [];
  // Karpenter chooses the machines itself.
  const machineType = sizes[0] ?? (shape.manager === undefined ? rules.machineTypes?.[role] : undefined);
  const image = nonEmpty(machines.image) ?? nonEmpty(flags.image) ?? channelImage(context, machineType);
  if (image === undefined) {
    throw refusal(`nothing says which image machines of ${cloud} boot from`, 'name one with --image');
  }
  return {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: shape.name, labels: { [CLUSTER_LABEL]: flags.name } },
    spec: {
      role: ROLE[role],
      image,
      nodeLabels: { [GROUP_LABEL]: shape.name, ...rules.nodeLabels?.(role, kubernetesVersion) },
      subnets: shape.subnets,
      ...given({
        machineType,
        manager: shape.manager,
        minSize: shape.size?.min,
        maxSize: shape.size?.max,
        zones: shape.zones,
        associatePublicIp: flags.associatePublicIp,
        additionalSecurityGroups: nonEmpty(machines.securityGroups),
        tenancy: nonEmpty(machines.tenancy),
        rootVolumeSize: machines.volumeSizeGib === 0 ? undefined : machines.volumeSizeGib,
        rootVolumeType: nonEmpty(machines.volumeType),
        mixedInstancesPolicy: rules.mixesSizes && sizes.length > 1 ? { instances: sizes } : undefined,
        instanceMetadata: rules.instanceMetadata?.(role, kubernetesVersion),
      }),
    },
  };
}

function channelImage({ cloud, rules, kubernetesVersion, images: named }: GroupContext, machineType?: string) {
  if (named !== undefined) {
    const architecture = architectureOf(rules, machineType);
    return named.find(
      (one) =>
        one.cloud === cloud &&
        one.architecture === architecture &&
        semver.satisfies(kubernetesVersion, one.kubernetes, { includePrerelease: true }),
    )?.image;
  }
  const images = imagesOfType(rules, machineType);
  return images === undefined ? undefined : imageFor(images, kubernetesVersion);
}

const architectureOf = (rules: Pick<CloudCreation, 'architectureOf'>, machineType: string | undefined): Architecture =>
  (machineType === undefined ? undefined : rules.architectureOf?.(machineType)) ?? 'amd64';

/** The images of the channel for the processors of a machine type. */
export function imagesOfType(
  rules: Pick<CloudCreation, 'images' | 'architectureOf'>,
  machineType: string | undefined,
): ChannelImages | undefined {
  return rules.images?.[architectureOf(rules, machineType)];
}
