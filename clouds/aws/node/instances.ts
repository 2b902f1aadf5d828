import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { Tags } from './tag-list.ts';
import { CLUSTER_TAG, ownershipTag } from './ownership.ts';
import { tagsOf } from './tag-list.ts';
import { nodeNameOf, type NodeNaming } from './node-name.ts';
import { type Element, itemsAt, textAt } from './xml.ts';

/** The role tags of instances; control planes also have an older tag. */
const ROLES: readonly (readonly [tag: string, role: NodeRole])[] = [
  ['k8s.io/role/control-plane', 'ControlPlane'],
  ['k8s.io/role/master', 'ControlPlane'],
  ['k8s.io/role/apiserver', 'APIServer'],
  ['k8s.io/role/node', 'Node'],
  ['k8s.io/role/bastion', 'Bastion'],
];

const INSTANCE_GROUP_TAG = 'kops.k8s.io/instancegroup';

/** An instance, as EC2 describes it. */
export interface Ec2Instance {
  readonly instanceId: string;
  readonly state: string;
  /** Its private IPv4 address; '' in a subnet without IPv4. */
  readonly address: string;
  /** The first IPv6 address of its primary interface; '' if it has none. */
  readonly ipv6Address: string;
  readonly externalAddresses: readonly string[];
  readonly privateDnsName: string;
  readonly launchedMs?: number;
  readonly startedMs?: number;
  /** E.g. t3.medium. */
  readonly machineType?: string;
  readonly tags: Tags;
}

/** Absent while the instance is being terminated. */
const LIVE_STATES = ['pending', 'running', 'stopping', 'stopped'];

/** The role in the tags of an instance or group; undefined if it is not a machine of a cluster. */
export const roleOfTags = (tags: Tags): NodeRole | undefined => ROLES.find(([tag]) => tags[tag] !== undefined)?.[1];

export const instanceGroupOfTags = (tags: Tags): string => tags[INSTANCE_GROUP_TAG] ?? '';

/** Whether the tags mark a resource as owned by this cluster. */
export const isOfCluster = (cluster: string, tags: Tags): boolean =>
  tags[CLUSTER_TAG] === cluster && tags[ownershipTag(cluster)] !== 'shared';

/** Filters for the instances of a cluster. */
export const instanceFilters = (cluster: string) => ({
  [`tag:${CLUSTER_TAG}`]: [cluster],
  'instance-state-name': LIVE_STATES,
});

export function readTags(element: Element): Tags {
  return tagsOf(itemsAt(element, 'tagSet').map((tag) => ({ Key: textAt(tag, 'key'), Value: textAt(tag, 'value') })));
}

/** The instances in a response of DescribeInstances. */
export function readInstances(reservations: readonly Element[]): readonly Ec2Instance[] {
  return reservations
    .flatMap((reservation) => itemsAt(reservation, 'instancesSet'))
    .map((instance) => ({
      instanceId: textAt(instance, 'instanceId'),
      state: textAt(instance, 'instanceState', 'name'),
      address: textAt(instance, 'privateIpAddress'),
      ipv6Address: ipv6AddressesOf(primaryInterface(instance))[0] ?? '',
      externalAddresses: externalAddresses(instance),
      privateDnsName: textAt(instance, 'privateDnsName'),
      ...launched(instance),
      tags: readTags(instance),
    }));
}

/**
 * When an instance was created: when its primary interface, which stays for good, was attached to it. Its launch time is
 * that of its last start (EC2 API reference, Instance), so a machine that is stopped and started would seem to be another.
 */
function launched(instance: Element): Pick<Ec2Instance, 'launchedMs' | 'startedMs'> {
  const primary = primaryInterface(instance);
  const launchedMs = primary === undefined ? Number.NaN : Date.parse(textAt(primary, 'attachment', 'attachTime'));
  const startedMs = Date.parse(textAt(instance, 'launchTime'));
  return { ...(!Number.isNaN(launchedMs) && { launchedMs }), ...(!Number.isNaN(startedMs) && { startedMs }) };
}

const primaryInterface = (instance: Element): Element | undefined =>
  itemsAt(instance, 'networkInterfaceSet').find(
    (one) =>
      textAt(one, 'attachment', 'deviceIndex') === '0' &&
      ['', '0'].includes(textAt(one, 'attachment', 'networkCardIndex')),
  );

const ipv6AddressesOf = (networkInterface: Element | undefined): readonly string[] =>
  networkInterface === undefined
    ? []
    : itemsAt(networkInterface, 'ipv6AddressesSet').map((item) => textAt(item, 'ipv6Address'));

/** The public address, if any, and the IPv6 addresses of all interfaces. */
function externalAddresses(instance: Element): readonly string[] {
  const ipv6 = itemsAt(instance, 'networkInterfaceSet').flatMap(ipv6AddressesOf);
  return [textAt(instance, 'ipAddress'), ...ipv6].filter((address) => address !== '');
}

export interface MachinesWanted {
  readonly cluster: string;
  readonly naming: NodeNaming;
  readonly isIpv6Only?: boolean;
}

/** The address by which the machines of a cluster know each other; '' while an instance has none. */
export const addressOf = (
  { address, ipv6Address }: Pick<Ec2Instance, 'address' | 'ipv6Address'>,
  isIpv6Only: boolean,
): string => (isIpv6Only ? ipv6Address : address);

/** Selects the machines of the cluster. Tags and states are checked again: a server may ignore a filter. */
export function machinesAmong(
  instances: readonly Ec2Instance[],
  { cluster, naming, isIpv6Only = false }: MachinesWanted,
): readonly CloudMachine[] {
  return instances
    .flatMap((instance) => {
      const role = roleOfTags(instance.tags);
      if (role === undefined || !isOfCluster(cluster, instance.tags)) return [];
      const address = addressOf(instance, isIpv6Only);
      if (!LIVE_STATES.includes(instance.state) || address === '') return [];
      return [
        {
          instanceId: instance.instanceId,
          nodeName: nodeNameOf(instance, naming),
          address,
          externalAddresses: instance.externalAddresses,
          role,
          instanceGroup: instanceGroupOfTags(instance.tags),
          running: instance.state === 'running',
          ...(instance.launchedMs !== undefined && { launchedMs: instance.launchedMs }),
          ...(instance.startedMs !== undefined && { startedMs: instance.startedMs }),
        },
      ];
    })
    .sort((a, b) => (a.instanceId < b.instanceId ? -1 : 1));
}
