import type { Cluster } from '../cluster.ts';
import { DEFAULT_CHANNEL } from '../complete/identity.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { RETIRED_SETTINGS } from '../retired-settings.ts';
import type { Fault } from '../validate/fault.ts';
import { CILIUM_OF_THE_PAST, RETIRED_FIELDS } from './retired-fields.ts';
import { faultsOf, ofGroup, type UnreadField } from './unread-field.ts';

const ETCD_IS_A_UNIT = 'it is not read: etcd is a systemd unit, not a pod';
const SAME = 'remove it';

const SPOTINST = {
  message: 'it is not read: no machines are created through Spotinst',
  hint: 'use mixedInstancesPolicy or maxPrice of instance groups',
};

const OF_CLUSTER: readonly UnreadField[] = [
  {
    path: 'spec.channel',
    message:
      'only `kopsctl upgrade cluster` reads it: what the spec leaves out comes from the stable channel, which is part of kopsctl',
    hint: 'set kubernetesVersion, and image of each instance group',
  },
  { path: 'spec.topology.masters', message: 'it is not read: the types of the subnets decide', hint: SAME },
  { path: 'spec.topology.nodes', message: 'it is not read: the types of the subnets decide', hint: SAME },
  {
    path: 'spec.serviceOIDCProvider',
    message: 'it is not read: spec.serviceAccountIssuerDiscovery replaces it',
    hint: 'use that',
  },
  {
    path: 'spec.iam.legacy',
    message: 'it is not read: machines have no more rights than they need',
    hint: SAME,
  },
  { path: 'spec.networking.cni.usesSecondaryIP', message: 'it is not read', hint: SAME },
  { path: 'spec.kubeDNS.domain', message: 'it is not read: spec.clusterDNSDomain is the domain', hint: 'use that' },
  { path: 'spec.cloudConfig.spotinstOrientation', ...SPOTINST },
  { path: 'spec.cloudConfig.spotinstProduct', ...SPOTINST },
  ...['gossipConfig', 'dnsControllerGossipConfig'].map((field) => ({
    path: `spec.${field}`,
    message: 'it is not read: gossip has a protocol, ports and a key of its own',
    hint: SAME,
  })),
  {
    path: 'spec.useHostCertificates',
    message: 'it is not read: etcd-manager runs on the machine, and trusts its certificates',
    hint: SAME,
  },
  ...RETIRED_FIELDS,
  ...CILIUM_OF_THE_PAST,
  { path: 'spec.etcdClusters[].backups.image', message: ETCD_IS_A_UNIT, hint: SAME },
  {
    path: 'spec.etcdClusters[].image',
    message: 'it is not read: etcd is a systemd unit that runs the program of its release, not a container',
    hint: 'choose its release by version',
  },
  {
    path: 'spec.etcdClusters[].heartbeatInterval',
    message: 'it is not read',
    hint: 'set ETCD_HEARTBEAT_INTERVAL in manager.env, in milliseconds',
  },
  {
    path: 'spec.etcdClusters[].leaderElectionTimeout',
    message: 'it is not read',
    hint: 'set ETCD_ELECTION_TIMEOUT in manager.env, in milliseconds',
  },
  {
    path: 'spec.etcdClusters[].manager.image',
    message: 'it is not read: etcd-manager is part of the agents',
    hint: SAME,
  },
  {
    path: 'spec.etcdClusters[].manager.listenClientHTTPURLs',
    message: 'it is not read: etcd-manager asks etcd over HTTP where its clients connect, so both stay on one port',
    hint: SAME,
  },
];

const OF_DOCKER: UnreadField = {
  path: 'spec.docker',
  message: 'it is not read: the runtime is containerd',
  hint: 'use spec.containerd',
};

const OF_GROUP: readonly UnreadField[] = RETIRED_SETTINGS.kubelet.map((field) => ({
  path: `spec.kubelet.${field}`,
  message: 'no kubelet since Kubernetes 1.20 has this setting',
  hint: SAME,
}));

/** Why a field of a kind does nothing; undefined for one that acts. @param path without positions in lists */
export function whyUnread(kind: 'Cluster' | 'InstanceGroup', path: string): string | undefined {
  const fields = kind === 'Cluster' ? [...OF_CLUSTER, OF_DOCKER] : OF_GROUP;
  return fields.find((field) => `${path}.`.startsWith(`${field.path.replaceAll('[]', '')}.`))?.message;
}

/**
 * Fields that a person has set and that nothing reads. They are reported each time the cluster is planned.
 *
 * @param cluster as the user wrote it: completion fills some of these fields in
 */
export const unreadFields = (cluster: Cluster, groups: readonly InstanceGroup[]): readonly Fault[] => [
  ...OF_CLUSTER.flatMap((field) => faultsOf(field, cluster)).filter((one) => !isAsUsual(one.path, cluster)),
  ...(cluster.spec.containerRuntime === 'docker' ? [] : faultsOf(OF_DOCKER, cluster)),
  ...groups.flatMap((group) => OF_GROUP.flatMap((field) => faultsOf(field, group)).map((one) => ofGroup(group, one))),
];

/** kops writes these values into the specs that it makes, and they are what is done. */
const isAsUsual = (path: string, { spec }: Cluster): boolean =>
  (path === 'spec.channel' && spec.channel === DEFAULT_CHANNEL) ||
  (path === 'spec.iam.legacy' && spec.iam?.legacy === false);
