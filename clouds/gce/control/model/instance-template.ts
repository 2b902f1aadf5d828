import { AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { findsApiByLoadBalancer } from '@kopsctl/model/discovery.ts';
import { authorityCa } from '@kopsctl/model/store/keysets.ts';
import type { SshPublicKey } from '@kopsctl/model/model-input.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import type { Task, TaskId } from '@kopsctl/tasks/task.ts';
import { podRangeLength, podRangeName, usesAliasRanges } from '../alias-ranges.ts';
import { imageName, imageUrl } from '../image-url.ts';
import type { InstanceTemplateProps } from '../kinds/compute.ts';
import { comesWithAccelerators } from '../machine-types.ts';
import { taskName, templatePrefix } from '../names.ts';
import { apiAddressFor } from './api-load-balancer.ts';
import { type GceContext, subnetLink, subnetsOf } from './gce-context.ts';
import { gceTask } from './gce-task.ts';
import { groupLabels } from './group-labels.ts';
import { groupMetadata } from './group-metadata.ts';
import { stackOf } from './network.ts';
import { tagsOf } from './role-tags.ts';
import { accountOf } from './service-accounts.ts';

/** The input for the template of a group. */
export interface GroupBoot {
  /** Absent for machines that do not become nodes. */
  readonly userData?: string;
  /** What a machine reads at boot and must therefore be in the store before. */
  readonly needs: readonly TaskId[];
}

/** The name of the task of a group's template. */
export const templateTask = ({ facts }: GceContext, group: InstanceGroup): string =>
  taskName(group.metadata.name, facts.clusterName);

/** The template of a group's machines (kops pkg/model/gcemodel/autoscalinggroup.go). */
export function instanceTemplate(
  context: GceContext,
  group: InstanceGroup,
  keys: readonly SshPublicKey[],
  { userData, needs }: GroupBoot,
): Task {
  const { facts, project } = context;
  const { spec } = group;
  const { cloudConfig } = facts.spec;
  const { machineType = '', image = '' } = spec;
  const role = roleOf(group);
  const [subnet] = subnetsOf(context, group);
  const spot = spec.gcpProvisioningModel === 'SPOT';
  const aliases = usesAliasRanges(facts.spec);
  const { rootVolumeIops: iops = 0, rootVolumeThroughput: throughput = 0 } = spec;
  const address = findsApiByLoadBalancer(facts) ? apiAddressFor(context, group) : undefined;
  const accelerators = (spec.guestAccelerators ?? []).map(({ acceleratorType = '', acceleratorCount = 0 }) => ({
    type: acceleratorType,
    count: acceleratorCount,
  }));
  if (subnet === undefined) throw new Error(`${group.metadata.name} has no subnet`);
  const props: InstanceTemplateProps = {
    namePrefix: templatePrefix(group.metadata.name, facts.clusterName),
    machineType,
    image: imageUrl(image, project) ?? image,
    rootDisk: {
      sizeGb: completedValue('spec.rootVolumeSize', spec.rootVolumeSize),
      type: completedValue('spec.rootVolumeType', spec.rootVolumeType),
      ...(iops > 0 && { iops }),
      ...(throughput > 0 && { throughput }),
    },
    // Routes to pods lead to the machine, which hands their packets on.
    canIpForward: !aliases && role !== 'Bastion',
    network: context.network,
    subnetwork: subnetLink(context, subnet),
    stack: stackOf(context),
    publicIp: completedValue('spec.associatePublicIp', spec.associatePublicIp),
    ...(aliases &&
      role !== 'Bastion' && {
        podRange: {
          name: podRangeName(facts.clusterName),
          prefixLength: podRangeLength(facts.spec),
        },
      }),
    spot,
    movable: !spot && accelerators.length === 0 && !comesWithAccelerators(machineType),
    accelerators,
    account: accountOf(context, group),
    scopes: scopesOf(role),
    tags: tagsOf(context, role),
    labels: groupLabels(context, group),
    metadata: groupMetadata(context, group, keys, imageName(image)),
    ...(userData !== undefined && {
      boot: { key: cloudConfig?.gceUseStartupScript === true ? 'startup-script' : 'user-data', text: userData },
      ...(address !== undefined && { apiLoadBalancer: address }),
      ...(userData.includes(AUTHORITY_CA) && { authorityCa: authorityCa() }),
    }),
    after: needs.map((ref) => ({ ref })),
  };
  return gceTask('gce/InstanceTemplate', templateTask(context, group), props);
}

/** A bastion needs nothing of the project. What the others may do is limited by the roles of their accounts. */
function scopesOf(role: Role): readonly string[] {
  const observed = ['monitoring', 'logging.write'];
  const storage = role === 'ControlPlane' ? 'devstorage.read_write' : 'devstorage.read_only';
  const names = role === 'ControlPlane' || role === 'APIServer' ? ['ndev.clouddns.readwrite'] : [];
  const scopes = role === 'Bastion' ? observed : ['compute', ...observed, 'cloud-platform', storage, ...names];
  return scopes.map((scope) => `https://www.googleapis.com/auth/${scope}`);
}
