import { usesGossip } from '../discovery.ts';
import type { CloudName, SpecCloud } from '@kopsctl/spec/cloud.ts';
import type { Cluster, ClusterSpec, ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import { DEFAULT_CHANNEL } from '@kopsctl/spec/complete/identity.ts';
import { NON_MASQUERADE_CIDR } from '@kopsctl/spec/complete/network.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { accessListsOf, apiOf, authorizationOf } from './api-access.ts';
import type { CloudCreation } from './cloud-creation.ts';
import { parseCloudLabels } from './cloud-labels.ts';
import type { CloudRules } from './cloud-rules.ts';
import { etcdClustersOf, withRetention } from './etcd.ts';
import type { CreateClusterFacts, CreateClusterFlags } from './flags.ts';
import { given, nonEmpty } from './given.ts';
import { apiServers, bastions, controlPlanes, nodes, type Placement } from './groups.ts';
import { kubernetesVersionOf } from './kubernetes-version.ts';
import { leftOpen } from './left-open.ts';
import { featureGatesOf, kubeProxyOf, networkingOf } from './networking.ts';
import { zonedInstanceGroup } from './new-instance-group.ts';
import { proxyExcludes } from './proxy-excludes.ts';
import { refusal } from './refusal.ts';
import { dnsTypeOf, publishesDns, topologyOf, withIpv6, withTopology } from './topology.ts';

type NamedCloud = SpecCloud & { readonly name: CloudName };

/** How clusters of a cloud with zones are inferred. */
export const zonedCreation = (
  cloud: NamedCloud,
  rules: CloudRules,
  own: Pick<CloudCreation, 'storeScheme' | 'ownsZone' | 'flagsOfHost' | 'findNetwork'>,
): CloudCreation => ({
  ...own,
  infer: (flags, facts) => cloudCluster(flags, facts, cloud, rules),
  finish: (cluster, facts) => assigned(cluster, rules, facts),
  instanceGroup: (cluster, wanted) => zonedInstanceGroup(cluster, wanted, { cloud: cloud.name, rules }),
  leftOpen: (inferred) => leftOpen(inferred, rules),
  networkings: Object.keys(rules.networkings ?? {}),
  images: rules.images,
  architectureOf: rules.architectureOf,
});

function cloudCluster(
  flags: CreateClusterFlags,
  facts: CreateClusterFacts,
  cloud: NamedCloud,
  rules: CloudRules,
): { readonly spec: ClusterSpec; readonly instanceGroups: readonly InstanceGroup[] } {
  refuseUnusable(flags, cloud, rules);
  const kubernetesVersion = kubernetesVersionOf(flags, facts);
  const zones = [...new Set([...(flags.zones ?? []), ...(flags.controlPlaneZones ?? [])])].toSorted();
  const [topology, dns, network] = [topologyOf(flags), dnsTypeOf(flags), networkingOf(flags, cloud, rules.networkings)];
  const context = { cloud: cloud.name, flags, rules, zones, facts };

  const zoned = rules.subnets(flags, zones, facts);
  const unique = [...new Map(zoned.map(({ subnet }) => [subnet.name, subnet])).values()];
  const subnets = withTopology(unique, topology, context);
  if (rules.sharesAllSubnets === true) refuseMixed(subnets);
  const placement: Placement = {
    ...context,
    kubernetesVersion,
    ...given({ images: facts.channel?.images }),
    subnets,
    subnetsOf: (zone) => zoned.flatMap((one) => (one.zone === zone ? (one.subnet.name ?? []) : [])),
    dualStack: flags.ipv6 === true && topology === 'private',
  };
  const masters = controlPlanes(placement);
  const gates = featureGatesOf(flags.kubernetesFeatureGates);
  const component = gates === undefined ? undefined : { featureGates: gates };

  const spec: ClusterSpec = {
    cloudProvider: cloud.name,
    ...rules.settings(flags),
    channel: nonEmpty(flags.channel) ?? DEFAULT_CHANNEL,
    kubernetesVersion,
    authorization: authorizationOf(flags.authorization),
    iam: { allowContainerRegistry: true, legacy: false },
    kubelet: { anonymousAuth: false, ...component },
    ...given({ kubeAPIServer: component, kubeControllerManager: component, kubeScheduler: component }),
    ...kubeProxyOf(network, gates),
    ...accessListsOf(flags),
    api: apiOf(flags, rules, { topology, dns }),
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
    ...namedByFlags(flags, facts),
    ...discoveryOf(flags, cloud, rules),
  };
  return {
    spec: withIpv6(spec, context),
    instanceGroups: [...masters, ...apiServers(placement), ...nodes(placement), ...bastions(placement)],
  };
}

function refuseUnusable(flags: CreateClusterFlags, cloud: NamedCloud, rules: CloudRules): void {
  if (nonEmpty(flags.zones) === undefined) {
    throw refusal('no zone is named for the machines to run in', 'name at least one with --zones');
  }
  if (nonEmpty(flags.utilitySubnets) !== undefined && !rules.utilitySubnets) {
    throw refusal(`clusters on ${cloud.name} have no utility subnets`, 'leave out --utility-subnets');
  }
  if ((flags.networkCidr ?? []).length > 0 && !rules.networkHasRange) {
    throw refusal(`networks of ${cloud.name} have no range`, 'leave out --network-cidr, or set spec.subnets[0].cidr');
  }
}

function refuseMixed(subnets: readonly ClusterSubnetSpec[]): void {
  const others = subnets.filter(({ id }) => id === undefined);
  if (others.length === 0 || others.length === subnets.length) return;
  const names = others.map(({ name }) => name).join(', ');
  throw refusal(
    `the flags name existing subnets for some of the cluster's subnets, but not for ${names}`,
    'name all with --subnets and, in a private topology, --utility-subnets, or leave both out',
  );
}

/** Fields that have a value only if a flag sets it. */
function namedByFlags(flags: CreateClusterFlags, facts: CreateClusterFacts): ClusterSpec {
  const [networkCIDR, ...additionalNetworkCIDRs] = flags.networkCidr ?? [];
  return given({
    configBase: configBaseOf(flags, facts),
    networkCIDR,
    additionalNetworkCIDRs: nonEmpty(additionalNetworkCIDRs),
    networkID: networkIdOf(flags, facts),
    dnsZone: nonEmpty(flags.dnsZone),
    masterPublicName: nonEmpty(flags.apiPublicName),
    cloudLabels: nonEmpty(flags.cloudLabels) === undefined ? undefined : parseCloudLabels(flags.cloudLabels ?? ''),
    DisableSubnetTags: flags.disableSubnetTags === true ? true : undefined,
    karpenter: flags.instanceManager === 'karpenter' ? { enabled: true } : undefined,
  });
}

/** Infers what depends on the spec after the user's settings were applied. */
function assigned({ metadata, spec }: Cluster, rules: CloudRules, facts: CreateClusterFacts): ClusterSpec {
  const placed = rules.assignNetwork(spec, facts);
  // Nobody publishes the names of machines that gossip (kops upup/pkg/fi/cloudup/defaults.go).
  const isPublished = spec.topology?.dns?.type === 'Public' && !usesGossip({ spec, clusterName: metadata.name });
  const publicName = isPublished ? `api.${metadata.name}` : undefined;
  const settled = {
    nonMasqueradeCIDR: NON_MASQUERADE_CIDR,
    ...given({ masterPublicName: publicName }),
    ...placed,
    // Where --unset has taken it away; nobody would say later which version the cluster has.
    kubernetesVersion: placed.kubernetesVersion ?? kubernetesVersionOf({ name: metadata.name }, facts),
    ...given({ etcdClusters: placed.etcdClusters?.map((etcd) => withRetention(etcd)) }),
  };
  const excludes = proxyExcludes(metadata.name, settled, rules.reachedWithoutProxy);
  return { ...settled, ...(excludes !== undefined && { egressProxy: { ...settled.egressProxy, excludes } }) };
}

function networkIdOf(flags: CreateClusterFlags, { sharedNetwork }: CreateClusterFacts): string | undefined {
  const id = nonEmpty(flags.networkId) ?? sharedNetwork?.id;
  if (id === undefined && nonEmpty(flags.subnets) !== undefined) {
    throw refusal('--subnets names subnets of a network that is not named', 'name it with --network-id');
  }
  return id;
}

const configBaseOf = ({ name }: CreateClusterFlags, { stateStoreUrl }: CreateClusterFacts): string | undefined =>
  stateStoreUrl === undefined ? undefined : `${stateStoreUrl.replace(/\/$/, '')}/${name}`;

/** Where the cluster publishes the keys of its service accounts, and what follows from that. */
function discoveryOf({ name, discoveryStore }: CreateClusterFlags, cloud: NamedCloud, rules: CloudRules): ClusterSpec {
  const store = nonEmpty(discoveryStore);
  if (store === undefined) return {};
  if (rules.issuerGives === undefined) {
    throw refusal(`clusters on ${cloud.name} publish no keys of service accounts`, 'leave out --discovery-store');
  }
  const location = `${store.replace(/\/$/, '')}/${name}`;
  const { serviceAccountIssuerDiscovery, ...more } = rules.issuerGives;
  return {
    serviceAccountIssuerDiscovery: { discoveryStore: location, ...serviceAccountIssuerDiscovery },
    ...more,
  };
}
