import { autoscalerDefaults } from '@kopsctl/model/addons/autoscaler-defaults.ts';
import { externalDnsDefaults } from '@kopsctl/model/addons/external-dns-defaults.ts';
import { clusterLabel } from '../node/labels.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { etcdDiskType, takesHyperdiskAlone } from './machine-types.ts';
import { issuerStore } from './issuer-store.ts';
import { roleTag } from './names.ts';
import { PRIVATE_RANGE, subnetRanges } from './subnet-ranges.ts';
import { usesAliasRanges } from './alias-ranges.ts';
import { persistentDiskDriver, persistentDisksByDriver } from './kubernetes-versions.ts';
import type { PersistentDiskClass } from './persistent-disk-classes.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { ClusterRule } from '@kopsctl/spec/complete/rule.ts';

/** The versions of Google's controllers are independent of Kubernetes's. */
const CLOUD_CONTROLLER = 'registry.k8s.io/cloud-provider-gcp/cloud-controller-manager:v35.0.0';
/** The default of GKE: newer machine types do not support pd-standard (kops#16103). */
const DEFAULT_CLASS: PersistentDiskClass = 'balanced-csi';
/** The storage class for machines that support no other disks. */
const HYPERDISK_CLASS: PersistentDiskClass = 'balanced-storage';

/**
 * Whether packets of pods need no routes to nodes, which the controller makes by default: a project may have only a few
 * routes, and a route to a range of the subnet is refused, after which the node counts as unreachable. Cilium without a
 * tunnel needs routes.
 */
const carriesPodsItself = (spec: ClusterSpec): boolean =>
  usesAliasRanges(spec) ||
  (spec.networking?.cilium !== undefined && spec.networking.cilium.tunnel !== 'disabled') ||
  spec.networking?.calico !== undefined ||
  spec.networking?.canal !== undefined ||
  spec.networking?.flannel !== undefined;

/** kops's defaults on GCE (pkg/model/components). */
export const gceRules: readonly ClusterRule[] = [
  autoscalerDefaults,
  externalDnsDefaults,
  {
    name: 'kops default of storage classes',
    infer: () => ({ cloudConfig: { manageStorageClasses: true } }),
  },
  {
    name: 'location of the OIDC discovery documents',
    infer: ({ spec }) => ({ kubeAPIServer: { serviceAccountIssuer: issuerStore(spec)?.address } }),
  },
  {
    name: "kops default of GCE's settings",
    infer: ({ clusterName }) => {
      return { cloudConfig: { multizone: true, nodeTags: roleTag('node', clusterName) } };
    },
  },
  {
    name: 'kops default of the persistent-disk driver',
    // kops also sets it where the driver is disabled.
    infer: ({ spec: { kubernetesVersion }, defaults, instanceGroups }) => {
      if (kubernetesVersion === undefined || defaults === undefined) return {};
      const nodes = instanceGroups.filter((group) => roleOf(group) === 'Node');
      const isHyperdisk = nodes.length > 0 && nodes.every(({ spec }) => takesHyperdiskAlone(spec.machineType ?? ''));
      return {
        cloudConfig: {
          gcpPDCSIDriver: {
            defaultStorageClassName: isHyperdisk ? HYPERDISK_CLASS : DEFAULT_CLASS,
            enabled: persistentDisksByDriver(kubernetesVersion),
            version: persistentDiskDriver(kubernetesVersion),
          },
        },
      };
    },
  },
  {
    // Also applies where a user enables it for a Kubernetes version that does not need it.
    name: 'kops default of the cloud controller manager',
    infer: ({ spec, defaults }) =>
      defaults?.externalCloudProvider === true || spec.cloudControllerManager !== undefined
        ? {
            cloudControllerManager: {
              cloudProvider: 'gce',
              cpuRequest: '200m',
              image: CLOUD_CONTROLLER,
              logLevel: 2,
              useServiceAccountCredentials: true,
            },
          }
        : {},
  },
  {
    name: 'kops default of the cloud controller manager',
    infer: ({ spec, clusterName, defaults }) => {
      if (defaults?.externalCloudProvider !== true) return {};
      return {
        cloudControllerManager: {
          allocateNodeCIDRs: true,
          cidrAllocatorType: 'CloudAllocator',
          clusterCIDR: spec.podCIDR,
          clusterName: clusterLabel(clusterName),
          controllers: ['*'],
          leaderElection: { leaderElect: true },
          ...(carriesPodsItself(spec) && { configureCloudRoutes: false }),
        },
      };
    },
  },
  {
    // Google chooses the range of a node when it creates the machine, and the cloud controller reports it. Another allocator
    // would give the node a range that nothing routes (kops pkg/model/components/kubecontrollermanager.go).
    name: 'kops default of kube-controller-manager with pods in ranges of the subnet',
    infer: ({ spec }) =>
      usesAliasRanges(spec) ? { kubeControllerManager: { allocateNodeCIDRs: false, configureCloudRoutes: false } } : {},
  },
  {
    name: "kops default of kubelet's bridge",
    infer: ({ spec }) => ({
      kubelet: { hairpinMode: 'promiscuous-bridge' },
      ...(spec.isolateMasters !== true && { masterKubelet: { hairpinMode: 'promiscuous-bridge' } }),
    }),
  },
  {
    name: 'range of a new network',
    // It is not known here what a network of others uses.
    infer: ({ spec }) => {
      if (spec.networkID !== undefined) return {};
      const { subnets, ...others } = subnetRanges(spec) ?? { subnets: {} };
      return {
        ...others,
        ...(usesAliasRanges(spec) && { nonMasqueradeCIDR: PRIVATE_RANGE }),
        subnets: spec.subnets?.map(({ name = '' }) => ({ name, cidr: subnets[name] })),
      };
    },
  },
  {
    name: 'default of the API load balancer',
    infer: ({ spec }) => (spec.api?.loadBalancer === undefined ? {} : { api: { loadBalancer: { type: 'Public' } } }),
  },
  {
    name: 'default of the volumes of etcd',
    infer({ spec, instanceGroups }) {
      const typeFor = (group: string | undefined) =>
        etcdDiskType(instanceGroups.find(({ metadata }) => metadata.name === group)?.spec.machineType ?? '');
      return {
        etcdClusters: spec.etcdClusters?.map(({ name, etcdMembers }) => ({
          name,
          etcdMembers: etcdMembers?.map((member) => ({
            name: member.name,
            volumeType: typeFor(member.instanceGroup),
          })),
        })),
      };
    },
  },
];
