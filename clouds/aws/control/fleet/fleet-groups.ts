import type { AutoScalingGroup, Instance as GroupInstance } from '@aws-sdk/client-auto-scaling';
import type { FleetGroup, FleetMachine, MadeByKopsctl } from '@kopsctl/model/fleet.ts';
import { type Ec2Instance, instanceGroupOfTags, isOfCluster, roleOfTags } from '../../node/instances.ts';
import { nodeNameOf, type NodeNaming } from '../../node/node-name.ts';
import { tagsOf } from '../../node/tag-list.ts';
import type { Balancers } from './leave-balancers.ts';

/** kops's tag for machines that it took out of their group while others are replaced; the value is the group's name. */
export const DETACHED_TAG = 'kops.k8s.io/detached-from-asg';
/** The tag that EC2 puts on machines, with the number of the version. */
const VERSION_TAG = 'aws:ec2launchtemplate:version';

/** Machines in service or about to be, and those of a warm pool; not machines that are terminating. */
const COUNTED = /^(Pending|InService|Standby|EnteringStandby)/;
const WARM = /^Warmed:(?!Terminat)/;
/** Machines in these states cannot run again. */
const ENDED = ['shutting-down', 'terminated'];

export interface FleetFacts {
  readonly clusterName: string;
  readonly groups: readonly AutoScalingGroup[];
  readonly instances: ReadonlyMap<string, Ec2Instance>;
  /** By id, the number of the version that groups launch machines from. */
  readonly newestVersions: ReadonlyMap<string, string>;
  readonly naming: NodeNaming;
}

/** A group as rolling updates see it, and as AWS calls it. */
export interface AwsFleetGroup extends FleetGroup, Balancers {
  readonly autoScalingGroup: string;
}

/**
 * The groups of a cluster with their machines. A machine is current if it was launched from the version of the launch
 * template that its group launches from now; a detached one never is, since it was detached to be replaced. Pure.
 */
export function fleetGroups(facts: FleetFacts): readonly AwsFleetGroup[] {
  const groups = facts.groups.flatMap((group): readonly AwsFleetGroup[] => {
    const tags = tagsOf(group.Tags);
    const role = roleOfTags(tags);
    if (role === undefined || !isOfCluster(facts.clusterName, tags)) return [];
    const autoScalingGroup = group.AutoScalingGroupName ?? '';
    const named = { name: instanceGroupOfTags(tags) || autoScalingGroup, role };
    return [
      {
        ...named,
        autoScalingGroup,
        wanted: group.DesiredCapacity ?? 0,
        targetGroups: group.TargetGroupARNs ?? [],
        classicLoadBalancers: group.LoadBalancerNames ?? [],
        machines: [...attached(group, named, facts), ...detached(group, named, facts)],
      },
    ];
  });
  return groups.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

type Named = Pick<FleetGroup, 'name' | 'role'>;

function attached(group: AutoScalingGroup, named: Named, facts: FleetFacts): readonly FleetMachine[] {
  return (group.Instances ?? []).flatMap((instance): readonly FleetMachine[] => {
    const { InstanceId: id = '', LifecycleState: state = '' } = instance;
    const isWarm = WARM.test(state);
    if (!isWarm && !COUNTED.test(state)) return [];
    const found = facts.instances.get(id);
    if (found !== undefined && ENDED.includes(found.state)) return [];
    const isCurrent = isLaunchedFromNewest(group, instance, found, facts);
    return [machineOf(id, found, { named, facts, isCurrent, standing: isWarm ? 'warm' : 'counted' })];
  });
}

function detached(group: AutoScalingGroup, named: Named, facts: FleetFacts): readonly FleetMachine[] {
  const own = new Set((group.Instances ?? []).map(({ InstanceId }) => InstanceId));
  return [...facts.instances.values()]
    .filter((instance) => isDetachedFrom(group.AutoScalingGroupName, instance) && !own.has(instance.instanceId))
    .map((instance) =>
      machineOf(instance.instanceId, instance, { named, facts, isCurrent: false, standing: 'detached' }),
    );
}

/** Whether a machine was taken out of the group of that name, and has not ended yet. It may still be in it. */
export const isDetachedFrom = (
  group: string | undefined,
  { tags, state }: Pick<Ec2Instance, 'tags' | 'state'>,
): boolean => group !== undefined && tags[DETACHED_TAG] === group && !ENDED.includes(state);

interface Placed extends Pick<FleetMachine, 'isCurrent' | 'standing'> {
  readonly named: Named;
  readonly facts: FleetFacts;
}

function machineOf(
  id: string,
  instance: Ec2Instance | undefined,
  { named: { name, role }, facts, isCurrent, standing }: Placed,
): FleetMachine {
  const isNode = role !== 'Bastion' && instance !== undefined;
  return {
    id,
    name: id,
    nodeName: isNode ? nodeNameOf(instance, facts.naming) : '',
    instanceGroup: name,
    role,
    address: instance?.address ?? '',
    running: instance?.state === 'running',
    ...(instance?.launchedMs !== undefined && { launchedMs: instance.launchedMs }),
    isCurrent,
    standing,
  };
}

function isLaunchedFromNewest(
  group: AutoScalingGroup,
  member: GroupInstance,
  instance: Ec2Instance | undefined,
  { newestVersions }: FleetFacts,
): boolean {
  const id = launchTemplateOf(group);
  if (id === undefined || member.LaunchTemplate?.LaunchTemplateId !== id) return false;
  const version = launchedFrom(member, instance);
  return version !== undefined && version === newestVersions.get(id);
}

/** The number of the version of its template that a machine was launched from. Undefined where it is unknown. */
function launchedFrom(member: GroupInstance | undefined, instance: Ec2Instance | undefined): string | undefined {
  const { Version = '' } = member?.LaunchTemplate ?? {};
  // EC2 notes the number of the version. A group may name it by a word, whose number changes.
  return instance?.tags[VERSION_TAG] ?? (/^\d+$/.test(Version) ? Version : undefined);
}

/**
 * The groups and machines that were made from versions of kopsctl. A machine whose version is unknown is treated like the
 * next machine of its group. Pure.
 *
 * @param ours by the template's id, the numbers of the versions that kopsctl made
 */
export function madeByKopsctl(facts: FleetFacts, ours: ReadonlyMap<string, ReadonlySet<string>>): MadeByKopsctl {
  const found = fleetGroups(facts).map(({ autoScalingGroup, name, machines }) => {
    const group = facts.groups.find(({ AutoScalingGroupName }) => AutoScalingGroupName === autoScalingGroup);
    const id = (group && launchTemplateOf(group)) ?? '';
    const isOurs = (version = '') => ours.get(id)?.has(version) === true;
    const newest = facts.newestVersions.get(id);
    const members = new Map((group?.Instances ?? []).map((member) => [member.InstanceId ?? '', member]));
    const own = machines.filter((one) =>
      isOurs(launchedFrom(members.get(one.id), facts.instances.get(one.id)) ?? newest),
    );
    return { groups: isOurs(newest) ? [name] : [], machines: own.map((one) => one.name) };
  });
  return { groups: found.flatMap(({ groups }) => groups), machines: found.flatMap(({ machines }) => machines) };
}

/** The launch template of a group, by itself or in a policy of mixed machine types. */
export const launchTemplateOf = ({ LaunchTemplate, MixedInstancesPolicy }: AutoScalingGroup): string | undefined =>
  (LaunchTemplate ?? MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification)?.LaunchTemplateId;
