import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { CloudMachine } from '../../node-cloud.ts';
import { INSTANCE_GROUP_LABEL, isOfCluster, type Labels, ROLE_LABEL_PREFIX } from '../labels.ts';
import { nodeNameOf } from './node-name.ts';
import { idInUrl, idOf, lastPart } from './resource-name.ts';

/** What labels call roles; control planes carry an older one as well. */
const ROLES: readonly (readonly [name: string, role: NodeRole])[] = [
  ['control-plane', 'ControlPlane'],
  ['master', 'ControlPlane'],
  ['apiserver', 'APIServer'],
  ['node', 'Node'],
  ['bastion', 'Bastion'],
];

/** What is asked for of each instance. */
export const INSTANCE_FIELDS =
  'name,zone,hostname,status,labels,disks(source,deviceName,mode),networkInterfaces(networkIP,ipv6Address,accessConfigs/natIP,ipv6AccessConfigs/externalIpv6)';

/** https://cloud.google.com/compute/docs/reference/rest/v1/instances, the parts that are used. */
export interface InstanceAnswer {
  readonly name: string;
  /** A URL. */
  readonly zone: string;
  /** Only where somebody chose one. */
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

/** What Compute Engine tells of an instance. */
export interface GceInstance {
  readonly instanceId: string;
  readonly zone: string;
  readonly nodeName: string;
  readonly status: string;
  readonly address: string;
  readonly externalAddresses: readonly string[];
  readonly labels: Labels;
  /** By the disks' ids, the names that they are attached under. */
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

/** The role that labels say; undefined for what is no machine of a cluster. */
export const roleOfLabels = (labels: Labels): NodeRole | undefined =>
  ROLES.find(([name]) => labels[`${ROLE_LABEL_PREFIX}${name}`] !== undefined)?.[1];

/** Deleted, and about to be forgotten; what is stopped keeps its address, and may come back. */
const GONE = 'DEPROVISIONING';

/** The machines of the cluster among them. Labels are looked at again: a server may ignore a filter. */
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
