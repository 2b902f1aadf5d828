import { parseCidr } from '@kopsctl/spec/cidr.ts';
import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { setFields, unsetFields } from '../set-fields/set-fields.ts';
import { accessListsOf, apiOf, authorizationOf } from './api-access.ts';
import { chooseCloud, rulesOf } from './choose-cloud.ts';
import { parseCloudLabels } from './cloud-labels.ts';
import type { CloudRules } from './cloud-rules.ts';
import { etcdClustersOf } from './etcd.ts';
import type { CreateClusterFacts, CreateClusterFlags } from './flags.ts';
import { given, nonEmpty } from './given.ts';
import { apiServers, bastions, controlPlanes, nodes, type Placement } from './groups.ts';
import { kubernetesVersionOf } from './kubernetes-version.ts';
import { localCluster } from './local.ts';
import { featureGatesOf, kubeProxyOf, networkingOf } from './networking.ts';
import { refusal } from './refusal.ts';
import { dnsTypeOf, publishesDns, topologyOf, withIpv6, withTopology } from './topology.ts';

export interface InferredCluster {
  readonly cluster: Cluster;
  /** Control planes, API servers, nodes, bastions. */
  readonly instanceGroups: readonly InstanceGroup[];
}

/** Where pods and services live unless told otherwise, outside of every private network (RFC 6598). */
const NON_MASQUERADE_CIDR = '100.64.0.0/10';

/**
 * The cluster that a person means by a few flags, inferred the way kops does (upup/pkg/fi/cloudup/new_cluster.go and
 * cmd/kops/create_cluster.go). Pure: what only a cloud can say comes in with `facts`.
 *
 * @throws ActionableError, one, where the flags make no cluster
 */
export function inferCluster(flags: CreateClusterFlags, facts: CreateClusterFacts): InferredCluster {
  refuseBadRanges(flags);
  const cloud = chooseCloud(flags, facts.stateStoreUrl);
  const { spec, instanceGroups } = cloud === 'local' ? localCluster(flags) : cloudCluster(flags, rulesOf(cloud), facts);
  const inferred: Cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: flags.name },
    spec,
  };
  const cluster = setFields(unsetFields(inferred, flags.unset ?? []), flags.set ?? []);
  if (cloud === 'local') return { cluster, instanceGroups };
  return { cluster: { ...cluster, spec: assigned(cluster, rulesOf(cloud), facts) }, instanceGroups };
}

function cloudCluster(
  flags: CreateClusterFlags,
  rules: CloudRules,
  facts: CreateClusterFacts,
): { readonly spec: ClusterSpec; readonly instanceGroups: readonly InstanceGroup[] } {
  if (nonEmpty(flags.zones) === undefined) {
    throw refusal('no zone says where machines are to run', 'name at least one with --zones');
  }
  if ((flags.networkCidr ?? []).length > 0 && !rules.networkHasRange) {
    throw refusal(`networks of ${rules.name} have no range`, 'leave out --network-cidr, or set spec.subnets[0].cidr');
  }
  const kubernetesVersion = kubernetesVersionOf(flags);
  const zones = [...new Set([...(flags.zones ?? []), ...(flags.controlPlaneZones ?? [])])].toSorted();
  const [topology, dns, network] = [topologyOf(flags), dnsTypeOf(flags), networkingOf(flags, rules.name)];
  const context = { flags, rules, zones, facts };

  const zoned = rules.subnets(flags, zones, facts);
  const unique = [...new Map(zoned.map(({ subnet }) => [subnet.name, subnet])).values()];
  const subnets = withTopology(unique, topology, context);
  const placement: Placement = {
    ...context,
    kubernetesVersion,
    subnets,
    subnetsOf: (zone) => zoned.flatMap((one) => (one.zone === zone ? (one.subnet.name ?? []) : [])),
    dualStack: flags.ipv6 === true && topology === 'private',
  };
  const masters = controlPlanes(placement);
  const gates = featureGatesOf(flags.kubernetesFeatureGates);
  const component = gates === undefined ? undefined : { featureGates: gates };
  const [networkCIDR, ...additionalNetworkCIDRs] = flags.networkCidr ?? [];

  const spec: ClusterSpec = {
    cloudProvider: rules.name,
    ...rules.settings(flags),
    channel: nonEmpty(flags.channel) ?? 'stable',
    kubernetesVersion,
    authorization: authorizationOf(flags.authorization),
    iam: { allowContainerRegistry: true, legacy: false },
    kubelet: { anonymousAuth: false, ...component },
    ...given({ kubeAPIServer: component, kubeControllerManager: component, kubeScheduler: component }),
    ...kubeProxyOf(network, gates),
    ...accessListsOf(flags),
    api: apiOf(flags, { cloud: rules.name, topology, dns }),
    networking: network.networking,
    topology: {
      dns: { type: dns },
      ...(flags.bastion === true && publishesDns(flags.name, dns)
        ? { bastion: { bastionPublicName: `bastion.${flags.name}` } }
        : {}),
    },
    subnets,
    etcdClusters: etcdClustersOf(flags, masters, {
      encrypted: flags.encryptEtcdStorage ?? rules.encryptsEtcd,
      additional: network.etcd,
    }),
    ...given({
      configBase: configBaseOf(flags, facts),
      networkCIDR,
      additionalNetworkCIDRs: nonEmpty(additionalNetworkCIDRs),
      networkID: networkIdOf(flags, facts),
      dnsZone: nonEmpty(flags.dnsZone),
      masterPublicName: nonEmpty(flags.apiPublicName),
      cloudLabels: nonEmpty(flags.cloudLabels) === undefined ? undefined : parseCloudLabels(flags.cloudLabels ?? ''),
      DisableSubnetTags: flags.disableSubnetTags === true ? true : undefined,
      karpenter: flags.instanceManager === 'karpenter' ? { enabled: true } : undefined,
    }),
    ...discoveryOf(flags, rules),
  };
  return {
    spec: withIpv6(spec, context),
    instanceGroups: [...masters, ...apiServers(placement), ...nodes(placement), ...bastions(placement)],
  };
}

/** What follows from the spec once the person's settings are in it. */
function assigned({ metadata, spec }: Cluster, rules: CloudRules, facts: CreateClusterFacts): ClusterSpec {
  const placed = rules.assignNetwork(spec, facts);
  const publicName = spec.topology?.dns?.type === 'Public' ? `api.${metadata.name}` : undefined;
  return {
    nonMasqueradeCIDR: NON_MASQUERADE_CIDR,
    ...given({ masterPublicName: publicName }),
    ...placed,
  };
}

function refuseBadRanges({ networkCidr = [], adminAccess = [], sshAccess = [] }: CreateClusterFlags): void {
  const flags = Object.entries({ 'network-cidr': networkCidr, 'admin-access': adminAccess, 'ssh-access': sshAccess });
  for (const [flag, ranges] of flags) {
    // pl-… is a prefix list of AWS.
    const bad = ranges.find((range) => parseCidr(range) === undefined && !range.startsWith('pl-'));
    if (bad !== undefined) throw refusal(`--${flag} '${bad}' is no range of addresses`, 'write it like 10.0.0.0/16');
  }
}

function networkIdOf(flags: CreateClusterFlags, { sharedNetwork }: CreateClusterFacts): string | undefined {
  const id = nonEmpty(flags.networkId) ?? sharedNetwork?.id;
  if (id === undefined && nonEmpty(flags.subnets) !== undefined && flags.cloud !== 'gce') {
    throw refusal('--subnets are parts of a network that is not named', 'name it with --network-id');
  }
  return id;
}

const configBaseOf = ({ name }: CreateClusterFlags, { stateStoreUrl }: CreateClusterFacts): string | undefined =>
  stateStoreUrl === undefined ? undefined : `${stateStoreUrl.replace(/\/$/, '')}/${name}`;

/** Where the cluster publishes who its service accounts are; on AWS that gives them roles. */
function discoveryOf({ name, discoveryStore }: CreateClusterFlags, rules: CloudRules): ClusterSpec {
  const store = nonEmpty(discoveryStore);
  if (store === undefined) return {};
  const location = `${store.replace(/\/$/, '')}/${name}`;
  if (rules.name !== 'aws') return { serviceAccountIssuerDiscovery: { discoveryStore: location } };
  return {
    serviceAccountIssuerDiscovery: { discoveryStore: location, enableAWSOIDCProvider: true },
    iam: { allowContainerRegistry: true, legacy: false, useServiceAccountExternalPermissions: true },
  };
}
