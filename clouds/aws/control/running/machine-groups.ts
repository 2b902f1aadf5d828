import { paginateDescribeAutoScalingGroups } from '@aws-sdk/client-auto-scaling';
import { type Instance, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { AwsCloud } from '../handlers/aws-cloud.ts';
import { explained } from '../handlers/aws-error.ts';
import { type Ec2Instance, instanceGroupOfTags, isOfCluster, roleOfTags } from '../../node/instances.ts';
import { CLUSTER_TAG } from '../../node/ownership.ts';
import { tagsOf } from '../../node/tag-list.ts';

/** An instance group as AWS runs it. */
export interface MachineGroup {
  /** The name of the auto-scaling group. */
  readonly name: string;
  readonly instanceGroup: string;
  readonly role: NodeRole;
  /** The desired capacity. */
  readonly desired: number;
  readonly instances: readonly Ec2Instance[];
}

/** Machines in service or about to be; without those of the warm pool and those that are terminating. */
const COUNTED = /^(Pending|InService|Standby|EnteringStandby)/;

/** The cluster's auto-scaling groups and their machines, by name. */
export async function machineGroups(aws: AwsCloud, signal?: AbortSignal): Promise<readonly MachineGroup[]> {
  const until = signal === undefined ? {} : { abortSignal: signal };
  try {
    const instances = await instancesById(aws, until);
    const found: MachineGroup[] = [];
    const pages = paginateDescribeAutoScalingGroups(
      { client: aws.autoScaling },
      { Filters: [{ Name: `tag:${CLUSTER_TAG}`, Values: [aws.clusterName] }] },
      until,
    );
    for await (const { AutoScalingGroups = [] } of pages) {
      for (const { AutoScalingGroupName = '', Tags, DesiredCapacity = 0, Instances = [] } of AutoScalingGroups) {
        const tags = tagsOf(Tags);
        const role = roleOfTags(tags);
        if (role === undefined || !isOfCluster(aws.clusterName, tags)) continue;
        found.push({
          name: AutoScalingGroupName,
          instanceGroup: instanceGroupOfTags(tags) || AutoScalingGroupName,
          role,
          desired: DesiredCapacity,
          instances: Instances.filter(({ LifecycleState = '' }) => COUNTED.test(LifecycleState)).map(
            ({ InstanceId = '' }) => instances.get(InstanceId) ?? notYetShown(InstanceId),
          ),
        });
      }
    }
    return found.toSorted((a, b) => (a.instanceGroup < b.instanceGroup ? -1 : 1));
  } catch (thrown) {
    throw explained(thrown, `list the machines of ${aws.clusterName}`);
  }
}

const notYetShown = (instanceId: string): Ec2Instance => ({
  instanceId,
  state: 'pending',
  address: '',
  ipv6Address: '',
  externalAddresses: [],
  privateDnsName: '',
  tags: {},
});

const ipv6AddressOf = ({ NetworkInterfaces = [] }: Instance): string =>
  NetworkInterfaces.find(
    ({ Attachment: { DeviceIndex, NetworkCardIndex = 0 } = {} }) => DeviceIndex === 0 && NetworkCardIndex === 0,
  )?.Ipv6Addresses?.[0]?.Ipv6Address ?? '';

function externalAddresses({ PublicIpAddress, NetworkInterfaces = [] }: Instance): readonly string[] {
  const ipv6 = NetworkInterfaces.flatMap(({ Ipv6Addresses = [] }) => Ipv6Addresses).map(
    ({ Ipv6Address = '' }) => Ipv6Address,
  );
  return [PublicIpAddress ?? '', ...ipv6].filter((address) => address !== '');
}

/** The machines that have the cluster's tag, with the times when they were made, by id. */
export async function instancesById(
  aws: AwsCloud,
  until: { readonly abortSignal?: AbortSignal } = {},
): Promise<ReadonlyMap<string, Ec2Instance>> {
  const found = new Map<string, Ec2Instance>();
  const filters = [{ Name: `tag:${CLUSTER_TAG}`, Values: [aws.clusterName] }];
  for await (const { Reservations = [] } of paginateDescribeInstances(
    { client: aws.ec2 },
    { Filters: filters },
    until,
  )) {
    for (const instance of Reservations.flatMap(({ Instances = [] }) => Instances)) {
      const instanceId = instance.InstanceId ?? '';
      found.set(instanceId, {
        instanceId,
        state: instance.State?.Name ?? 'pending',
        address: instance.PrivateIpAddress ?? '',
        ipv6Address: ipv6AddressOf(instance),
        externalAddresses: externalAddresses(instance),
        privateDnsName: instance.PrivateDnsName ?? '',
        tags: tagsOf(instance.Tags),
        ...(instance.InstanceType !== undefined && { machineType: instance.InstanceType }),
        ...(instance.LaunchTime !== undefined && { launchedMs: instance.LaunchTime.getTime() }),
      });
    }
  }
  return found;
}
