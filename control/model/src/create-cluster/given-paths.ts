import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { inV1alpha2 } from '../set-fields/v1alpha3-paths.ts';
import type { CreateClusterFlags, MachineFlags } from './flags.ts';

type Flag = Exclude<keyof CreateClusterFlags, 'name' | 'own' | 'set' | 'unset' | RoleFlag>;
type RoleFlag = 'controlPlane' | 'node' | 'apiServer';

/** The fields of the Cluster that each flag sets; `[*]` stands for every item of a list. */
export const CLUSTER_PATHS: Readonly<Record<Flag, readonly string[]>> = {
  adminAccess: ['spec.kubernetesApiAccess'],
  apiLoadbalancerType: ['spec.api.loadBalancer.type'],
  apiPublicName: ['spec.masterPublicName'],
  associatePublicIp: [],
  authorization: ['spec.authorization'],
  bastion: ['spec.topology.bastion'],
  bastionImage: [],
  channel: ['spec.channel'],
  cloud: ['spec.cloudProvider'],
  cloudLabels: ['spec.cloudLabels'],
  controlPlaneZones: ['spec.subnets[*].zone'],
  disableSubnetTags: ['spec.DisableSubnetTags'],
  discoveryStore: ['spec.serviceAccountIssuerDiscovery.discoveryStore'],
  dns: ['spec.topology.dns.type'],
  dnsZone: ['spec.dnsZone'],
  egress: ['spec.subnets[*].egress'],
  encryptEtcdStorage: ['spec.etcdClusters[*].etcdMembers[*].encryptedVolume'],
  etcdClusters: ['spec.etcdClusters[*].name'],
  etcdStorageType: ['spec.etcdClusters[*].etcdMembers[*].volumeType'],
  image: [],
  instanceManager: ['spec.karpenter'],
  ipv6: ['spec.nonMasqueradeCIDR'],
  kubernetesFeatureGates: [
    'spec.kubeAPIServer.featureGates',
    'spec.kubeControllerManager.featureGates',
    'spec.kubeProxy.featureGates',
    'spec.kubeScheduler.featureGates',
    'spec.kubelet.featureGates',
  ],
  kubernetesVersion: ['spec.kubernetesVersion'],
  networkCidr: ['spec.networkCIDR', 'spec.additionalNetworkCIDRs'],
  networkId: ['spec.networkID'],
  networking: ['spec.networking'],
  sshAccess: ['spec.sshAccess'],
  subnets: ['spec.subnets[*].id'],
  topology: ['spec.subnets[*].type'],
  utilitySubnets: ['spec.subnets[*].id'],
  zones: ['spec.subnets[*].zone'],
};

/** The fields of an instance group that flags for machines of every role set. */
export const GROUP_PATHS: Readonly<Partial<Record<Flag, readonly string[]>>> = {
  associatePublicIp: ['spec.associatePublicIp'],
  image: ['spec.image'],
  instanceManager: ['spec.manager'],
  zones: ['spec.zones'],
};

/** The fields of an instance group that the flags of its role set. */
export const MACHINE_PATHS: Readonly<Record<keyof MachineFlags, readonly string[]>> = {
  count: ['spec.minSize', 'spec.maxSize'],
  image: ['spec.image'],
  securityGroups: ['spec.additionalSecurityGroups'],
  sizes: ['spec.machineType', 'spec.mixedInstancesPolicy'],
  tenancy: ['spec.tenancy'],
  volumeSizeGib: ['spec.rootVolumeSize'],
  volumeType: ['spec.rootVolumeType'],
};

/** Switches that also set a value when they are turned off. */
const TWO_WAYS: readonly (keyof CreateClusterFlags)[] = ['associatePublicIp', 'encryptEtcdStorage'];

/** Whether a flag was given. As in kops, a count of 0, an empty list and an empty word count as not given. */
function isGiven(flag: keyof CreateClusterFlags | keyof MachineFlags, value: unknown): boolean {
  if (value === false) return TWO_WAYS.some((name) => name === flag);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== '' && value !== 0;
}

/** The paths that given flags and settings name, according to a table of flags. */
const namedBy = (
  flags: CreateClusterFlags | MachineFlags,
  table: Readonly<Partial<Record<string, readonly string[]>>>,
): readonly string[] =>
  Object.entries(flags).flatMap(([flag, value]) =>
    // Object.entries widens the names of the record's own fields to string.
    isGiven(flag as keyof CreateClusterFlags, value) ? (table[flag] ?? []) : [],
  );

/** Patterns of the Cluster's paths to which the user gave a value. */
export const pathsGivenOfCluster = (flags: CreateClusterFlags): readonly string[] => [
  ...namedBy(flags, CLUSTER_PATHS),
  ...Object.values(flags.own ?? {}).flatMap(({ value, path }) => (value === '' || value === false ? [] : [path])),
  ...(flags.set ?? []).map((setting) => pathOfSetting(setting)),
];

/** The field of the Cluster that `path=value` sets, as v1alpha2 names it. */
export function pathOfSetting(setting: string): string {
  const [path = ''] = setting.split('=');
  return inV1alpha2('Cluster', path.replace(/^cluster\./, '')).path;
}

/** Patterns of an instance group's paths to which the user gave a value. */
export function pathsGivenOfGroup(flags: CreateClusterFlags, group: InstanceGroup): readonly string[] {
  const role = roleOf(group);
  const machines = {
    APIServer: flags.apiServer,
    ControlPlane: flags.controlPlane,
    Node: flags.node,
    Bastion: undefined,
  };
  return [
    ...namedBy(flags, GROUP_PATHS),
    ...namedBy(machines[role] ?? {}, MACHINE_PATHS),
    ...(role === 'Bastion' && isGiven('bastionImage', flags.bastionImage) ? ['spec.image'] : []),
    ...(role === 'ControlPlane' && isGiven('controlPlaneZones', flags.controlPlaneZones) ? ['spec.zones'] : []),
  ];
}

/** Whether a pattern matches a path or an object that contains the path. */
export function covers(pattern: string, path: string): boolean {
  const literal = pattern
    .replaceAll(/[.[\]*"\\^$+?(){}|/]/g, String.raw`\$&`)
    .replaceAll(String.raw`\[\*\]`, String.raw`\[\d+\]`);
  return new RegExp(`^${literal}(?=[.[]|$)`).test(path);
}
