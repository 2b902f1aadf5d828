import type { PersistentDiskClass } from '@kopsctl/spec/persistent-disk-classes.ts';
import type { ClusterRule } from '@kopsctl/spec/complete/rule.ts';

/** The versions of Google's controllers are independent of Kubernetes's. */
const CLOUD_CONTROLLER = 'registry.k8s.io/cloud-provider-gcp/cloud-controller-manager:v35.0.0';
/** The default of GKE: newer machine types do not support pd-standard (kops#16103). */
const DEFAULT_CLASS: PersistentDiskClass = 'balanced-csi';
/** The limit of RFC 1035, which applies to names of resources and network tags. */
const LONGEST_NAME = 63;

/** The name of a cluster in names of GCE resources (kops upup/pkg/fi/cloudup/gce SafeClusterName). */
const safeName = (clusterName: string): string => clusterName.replaceAll('.', '-');

/** kops's defaults on GCE (pkg/model/components). */
export const gceRules: readonly ClusterRule[] = [
  {
    name: 'kops default of storage classes',
    infer: () => ({ cloudConfig: { manageStorageClasses: true } }),
  },
  {
    name: "kops default of GCE's settings",
    infer: ({ clusterName }) => {
      const nodeTags = `${safeName(clusterName)}-k8s-io-role-node`;
      return {
        cloudConfig: { multizone: true, nodeTags: nodeTags.length <= LONGEST_NAME ? nodeTags : undefined },
      };
    },
  },
  {
    name: 'kops default of the persistent-disk driver',
    // kops also sets it where the driver is disabled.
    infer: ({ defaults }) => {
      if (defaults === undefined) return {};
      return {
        cloudConfig: {
          gcpPDCSIDriver: {
            defaultStorageClassName: DEFAULT_CLASS,
            enabled: defaults.persistentDisksByDriver,
            version: defaults.persistentDiskDriver,
          },
        },
      };
    },
  },
  {
    // Applies also where a user enables it for a Kubernetes version that does not need it.
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
          clusterName: safeName(clusterName),
          controllers: ['*'],
          leaderElection: { leaderElect: true },
        },
      };
    },
  },
];
