import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { CloudMachine } from '../../node-cloud.ts';
import type { Tags } from '../kinds/output.ts';
import { CLUSTER_TAG, ownershipTag } from '../ownership.ts';
import { tagsOf } from '../tag-list.ts';
import { nodeNameOf, type NodeNaming } from './node-name.ts';
import { type Element, itemsAt, textAt } from './xml.ts';

/** The role tags of instances, and what they say; control planes carry an older one as well. */
const ROLES: readonly (readonly [tag: string, role: NodeRole])[] = [
  ['k8s.io/role/control-plane', 'ControlPlane'],
  ['k8s.io/role/master', 'ControlPlane'],
  ['k8s.io/role/apiserver', 'APIServer'],
  ['k8s.io/role/node', 'Node'],
  ['k8s.io/role/bastion', 'Bastion'],
];

const INSTANCE_GROUP_TAG = 'kops.k8s.io/instancegroup';

/** What EC2 tells of an instance. */
export interface Ec2Instance {
  readonly instanceId: string;
  readonly state: string;
  readonly address: string;
  readonly externalAddresses: readonly string[];
  readonly privateDnsName: string;
  readonly tags: Tags;
}

/** EC2 forgets the address of what is being taken down. */
export const LIVE_STATES = ['pending', 'running', 'stopping', 'stopped'];

/** The role that an instance's or a group's tags say; undefined for what is no machine of a cluster. */
export const roleOfTags = (tags: Tags): NodeRole | undefined => ROLES.find(([tag]) => tags[tag] !== undefined)?.[1];

export const instanceGroupOfTags = (tags: Tags): string => tags[INSTANCE_GROUP_TAG] ?? '';

/** Whether tags say that something is this cluster's own. */
export const isOfCluster = (cluster: string, tags: Tags): boolean =>
  tags[CLUSTER_TAG] === cluster && tags[ownershipTag(cluster)] !== 'shared';

/** What finds the instances of a cluster. */
export const instanceFilters = (cluster: string) => ({
  [`tag:${CLUSTER_TAG}`]: [cluster],
  'instance-state-name': LIVE_STATES,
});

export function readTags(element: Element): Tags {
  return tagsOf(itemsAt(element, 'tagSet').map((tag) => ({ Key: textAt(tag, 'key'), Value: textAt(tag, 'value') })));
}

/** The instances of an answer of DescribeInstances. */
export function readInstances(reservations: readonly Element[]): readonly Ec2Instance[] {
  return reservations
    .flatMap((reservation) => itemsAt(reservation, 'instancesSet'))
    .map((instance) => ({
      instanceId: textAt(instance, 'instanceId'),
      state: textAt(instance, 'instanceState', 'name'),
      address: textAt(instance, 'privateIpAddress'),
      externalAddresses: externalAddresses(instance),
      privateDnsName: textAt(instance, 'privateDnsName'),
      tags: readTags(instance),
    }));
}

/** The public address, if it has one, and those of IPv6 of all its interfaces. */
function externalAddresses(instance: Element): readonly string[] {
  const ipv6 = itemsAt(instance, 'networkInterfaceSet')
    .flatMap((networkInterface) => itemsAt(networkInterface, 'ipv6AddressesSet'))
    .map((item) => textAt(item, 'ipv6Address'));
  return [textAt(instance, 'ipAddress'), ...ipv6].filter((address) => address !== '');
}

/** The machines of the cluster among them. Tags and states are looked at again: a server may ignore a filter. */
export function machinesAmong(
  instances: readonly Ec2Instance[],
  cluster: string,
  naming: NodeNaming,
): readonly CloudMachine[] {
  return instances
    .flatMap((instance) => {
      const role = roleOfTags(instance.tags);
      if (role === undefined || !isOfCluster(cluster, instance.tags)) return [];
      if (!LIVE_STATES.includes(instance.state) || instance.address === '') return [];
      return [
        {
          instanceId: instance.instanceId,
          nodeName: nodeNameOf(instance, naming),
          address: instance.address,
          externalAddresses: instance.externalAddresses,
          role,
          instanceGroup: instanceGroupOfTags(instance.tags),
          running: instance.state === 'running',
        },
      ];
    })
    .sort((a, b) => (a.instanceId < b.instanceId ? -1 : 1));
}
