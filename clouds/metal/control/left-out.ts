import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { faultsOf, ofGroup, type UnreadField } from '@kopsctl/spec/unread/unread-field.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

const ACCESS = ['kubernetesApiAccess', 'sshAccess', 'nodePortAccess'] as const;
/** `create cluster` writes these, which limit nobody. */
const EVERYBODY: readonly string[] = ['0.0.0.0/0', '::/0'];

const unread = (message: string, ...paths: readonly string[]): readonly UnreadField[] =>
  paths.map((path) => ({ path: `spec.${path}`, message, hint: 'remove it' }));

const LABELS = unread('no cloud has these machines, so there is nothing to label', 'cloudLabels');
const ARM = unread(
  'enrolled machines have processors of amd64',
  'containerd.packages.hashArm64',
  'containerd.packages.urlArm64',
  'containerd.runc.packages.hashArm64',
  'containerd.runc.packages.urlArm64',
);
const OF_CLUSTER: readonly UnreadField[] = [
  ...ARM,
  ...unread('no cloud has these machines', 'cloudControllerManager', 'cloudConfig.manageStorageClasses', 'karpenter'),
  ...unread('enrolled machines find each other by gossip alone', 'dnsZone'),
  ...unread('the network is that of your machines', 'networkCIDR', 'networkID'),
  ...unread(
    'a subnet is a place of your machines',
    'subnets[].cidr',
    'subnets[].egress',
    'subnets[].id',
    'subnets[].ipv6CIDR',
  ),
];
const OF_GROUP: readonly UnreadField[] = [
  ...ARM,
  ...unread('the machine is installed already, and gets no user-data', 'additionalUserData'),
  ...unread('the machine has the disks that it has', 'rootVolumeSize'),
  ...unread('the subnets of the group are its places', 'zones'),
];

/** What a person has set, and nothing does for machines that no cloud has. */
export function* leftOutOfMetal(cluster: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const { spec } = cluster;
  for (const field of ACCESS) {
    if ((spec[field] ?? []).every((range) => EVERYBODY.includes(range))) continue;
    const why = 'nothing limits who reaches enrolled machines: kopsctl has no firewall before them';
    yield fault(`spec.${field}`, why, 'limit it in the firewall of your network');
  }
  yield* withLabels(OF_CLUSTER, cluster).flatMap((field) => faultsOf(field, cluster));
  for (const group of groups) {
    yield* withLabels(OF_GROUP, group)
      .flatMap((field) => faultsOf(field, group))
      .map((one) => ofGroup(group, one));
  }
}

/** `create cluster` writes a map of labels, which may be empty. */
const withLabels = (fields: readonly UnreadField[], { spec }: Cluster | InstanceGroup): readonly UnreadField[] =>
  Object.keys(spec.cloudLabels ?? {}).length === 0 ? fields : [...LABELS, ...fields];
