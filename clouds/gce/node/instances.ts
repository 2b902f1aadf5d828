import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
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
  'name,zone,hostname,status,creationTimestamp,lastStartTimestamp,labels,disks(source,deviceName,mode),networkInterfaces(networkIP,ipv6Address,accessConfigs/natIP,ipv6AccessConfigs/externalIpv6)';

/** A disk as the instance lists it. Scratch disks have no URL. */
export interface AttachedDisk {
  readonly source: string;
  readonly deviceName: string;
  readonly mode: string;
}

/** An instance, as Compute Engine describes it. */
export interface GceInstance {
  readonly instanceId: string;
  readonly zone: string;
  readonly nodeName: string;
  readonly status: string;
  readonly address: string;
  readonly externalAddresses: readonly string[];
  readonly launchedMs?: number;
  readonly startedMs?: number;
  readonly labels: Labels;
  /** The names of the attachments, by the ids of the disks. */
  readonly deviceNames: ReadonlyMap<string, string>;
}

/** Parses an instance (https://cloud.google.com/compute/docs/reference/rest/v1/instances). */
export function parseInstance(instance: AnswerFields): GceInstance {
  const [name, zone] = [instance.text('name'), lastPart(instance.text('zone'))];
  const networkInterfaces = instance.list('networkInterfaces');
  const launchedMs = Date.parse(instance.text('creationTimestamp', ''));
  const startedMs = Date.parse(instance.text('lastStartTimestamp', ''));
  return {
    instanceId: idOf({ zone, name }),
    zone,
    // Only instances with a custom host name have one.
    nodeName: nodeNameOf(instance.text('hostname', name)),
    status: instance.text('status'),
    address: networkInterfaces[0]?.text('networkIP', '') ?? '',
    externalAddresses: externalAddresses(networkInterfaces),
    ...(!Number.isNaN(launchedMs) && { launchedMs }),
    ...(!Number.isNaN(startedMs) && { startedMs }),
    labels: instance.textsByName('labels'),
    deviceNames: new Map(
      parseAttachedDisks(instance).flatMap(({ source, deviceName }) => {
        const id = idInUrl(source);
        return id === undefined || deviceName === '' ? [] : [[id, deviceName] as const];
      }),
    ),
  };
}

/** The disks of an instance. */
export const parseAttachedDisks = (instance: AnswerFields): readonly AttachedDisk[] =>
  instance.list('disks').map((disk) => ({
    source: disk.text('source', ''),
    deviceName: disk.text('deviceName', ''),
    mode: disk.text('mode', ''),
  }));

function externalAddresses(networkInterfaces: readonly AnswerFields[]): readonly string[] {
  const all = networkInterfaces.flatMap((one) => [
    ...one.list('accessConfigs').map((config) => config.text('natIP', '')),
    ...one.list('ipv6AccessConfigs').map((config) => config.text('externalIpv6', '')),
    one.text('ipv6Address', ''),
  ]);
  return [...new Set(all.filter((address) => address !== ''))];
}

/** The role in the labels; undefined if it is not a machine of a cluster. */
const roleOfLabels = (labels: Labels): NodeRole | undefined =>
  ROLES.find(([name]) => labels[`${ROLE_LABEL_PREFIX}${name}`] !== undefined)?.[1];

/** An instance that is being deleted. A stopped instance keeps its address and may be started again. */
const GONE = 'DEPROVISIONING';

/** Selects the machines of the cluster. Labels are checked again: a server may ignore a filter. */
export function machinesAmong(instances: readonly GceInstance[], cluster: string): readonly CloudMachine[] {
  return instances
    .flatMap(
      ({ instanceId, nodeName, address, externalAddresses: external, launchedMs, startedMs, labels, status }) => {
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
            ...(launchedMs !== undefined && { launchedMs }),
            ...(startedMs !== undefined && { startedMs }),
          },
        ];
      },
    )
    .sort((a, b) => (a.instanceId < b.instanceId ? -1 : 1));
}
