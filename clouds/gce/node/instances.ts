import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { INSTANCE_GROUP_LABEL, isOfCluster, type Labels, ROLE_LABEL_PREFIX } from './labels.ts';
import { nodeNameOf } from './node-name.ts';
import { idInUrl, idOf, lastPart } from './resource-name.ts';

/** The role labels of instances; control planes also have an older label. */
const ROLES: readonly (readonly [name: string, role: NodeRole])[] = [
  ['control-plane', 'ControlPlane'],
  ['master', 'ControlPlane'],
  ['apiserver', 'APIServer'],
  ['node', 'Node'],
  ['bastion', 'Bastion'],
];

/** The fields to request of each instance. */
export const INSTANCE_FIELDS =
  'name,zone,hostname,status,labels,disks(source,deviceName,mode),networkInterfaces(networkIP,ipv6Address,accessConfigs/natIP,ipv6AccessConfigs/externalIpv6)';

/** The fields that are used of https://cloud.google.com/compute/docs/reference/rest/v1/instances. */
export interface InstanceAnswer {
  readonly name: string;
  /** A URL. */
  readonly zone: string;
  /** Only for a custom host name. */
  readonly hostname?: string;
  readonly status: string;
  readonly labels?: Labels;
  readonly disks?: readonly AttachedDisk[];
  readonly networkInterfaces?: readonly NetworkInterface[];
}

export interface AttachedDisk {
  /** The disk's URL; scratch disks have none. */
  readonly source?: string;
  readonly deviceName?: string;
  readonly mode?: string;
}

interface NetworkInterface {
  readonly networkIP?: string;
  readonly ipv6Address?: string;
  readonly accessConfigs?: readonly { readonly natIP?: string }[];
  readonly ipv6AccessConfigs?: readonly { readonly externalIpv6?: string }[];
}

/** An instance, as Compute Engine describes it. */
export interface GceInstance {
  readonly instanceId: string;
  readonly zone: string;
  readonly nodeName: string;
  readonly status: string;
  readonly address: string;
  readonly externalAddresses: readonly string[];
  readonly labels: Labels;
  /** The names of the attachments, by the ids of the disks. */
  readonly deviceNames: ReadonlyMap<string, string>;
}

export function readInstance(answer: InstanceAnswer): GceInstance {
  const { name, hostname, status, labels = {}, disks = [], networkInterfaces = [] } = answer;
  const zone = lastPart(answer.zone);
  return {
    instanceId: idOf({ zone, name }),
    zone,
    nodeName: nodeNameOf(hostname ?? name),
    status,
    address: networkInterfaces[0]?.networkIP ?? '',
    externalAddresses: externalAddresses(networkInterfaces),
    labels,
    deviceNames: new Map(
      disks.flatMap(({ source = '', deviceName }) => {
        const id = idInUrl(source);
        return id === undefined || deviceName === undefined ? [] : [[id, deviceName] as const];
      }),
    ),
  };
}

function externalAddresses(networkInterfaces: readonly NetworkInterface[]): readonly string[] {
  const all = networkInterfaces.flatMap(({ ipv6Address, accessConfigs = [], ipv6AccessConfigs = [] }) => [
    ...accessConfigs.map(({ natIP }) => natIP),
    ...ipv6AccessConfigs.map(({ externalIpv6 }) => externalIpv6),
    ipv6Address,
  ]);
  return [...new Set(all.flatMap((address) => address || []))];
}

/** The role in the labels; undefined if it is not a machine of a cluster. */
const roleOfLabels = (labels: Labels): NodeRole | undefined =>
  ROLES.find(([name]) => labels[`${ROLE_LABEL_PREFIX}${name}`] !== undefined)?.[1];

/** An instance that is being deleted. A stopped instance keeps its address and may be started again. */
const GONE = 'DEPROVISIONING';

/** Selects the machines of the cluster. Labels are checked again: a server may ignore a filter. */
export function machinesAmong(instances: readonly GceInstance[], cluster: string): readonly CloudMachine[] {
  return instances
    .flatMap(({ instanceId, nodeName, address, externalAddresses: external, labels, status }) => {
      const role = roleOfLabels(labels);
      if (role === undefined || !isOfCluster(cluster, labels) || status === GONE || address === '') return [];
      return [
        {
          instanceId,
          nodeName,
          address,
          externalAddresses: external,
          role,
          instanceGroup: labels[INSTANCE_GROUP_LABEL] ?? '',
          running: status === 'RUNNING',
        },
      ];
    })
    .sort((a, b) => (a.instanceId < b.instanceId ? -1 : 1));
}
