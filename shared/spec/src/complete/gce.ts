import type { PersistentDiskClass } from '../persistent-disk-classes.ts';
import type { ClusterRule } from './rule.ts';

/** Google's controllers follow its own releases, not Kubernetes's. */
const CLOUD_CONTROLLER = 'registry.k8s.io/cloud-provider-gcp/cloud-controller-manager:v35.0.0';
/** What GKE has for its own default: on newer types of machines pd-standard is not to be had (kops#16103). */
const DEFAULT_CLASS: PersistentDiskClass = 'balanced-csi';
/** RFC 1035, which names of resources and network tags follow. */
const LONGEST_NAME = 63;

const onGce =
  (infer: ClusterRule['infer']): ClusterRule['infer'] =>
  (known) =>
    known.spec.cloudProvider === 'gce' ? infer(known) : {};

/** A cluster's name as resources of GCE carry it (kops upup/pkg/fi/cloudup/gce SafeClusterName). */
const safeName = (clusterName: string): string => clusterName.replaceAll('.', '-');

/** What kops adds on GCE (pkg/model/components). */
export const gceRules: readonly ClusterRule[] = [
  {
    name: "kops default of GCE's settings",
    infer: onGce(({ clusterName }) => {
      const nodeTags = `${safeName(clusterName)}-k8s-io-role-node`;
      return {
        cloudConfig: { multizone: true, nodeTags: nodeTags.length <= LONGEST_NAME ? nodeTags : undefined },
      };
    }),
  },
  {
    name: 'kops default of the persistent-disk driver',
    // kops fills it in where it is turned off, too.
    infer: onGce(({ defaults }) => {
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
    }),
  },
  {
    name: 'kops default of the cloud controller manager',
    infer: onGce(({ spec, clusterName, defaults }) => {
      if (defaults?.externalCloudProvider !== true) return {};
      return {
        cloudControllerManager: {
          allocateNodeCIDRs: true,
          cidrAllocatorType: 'CloudAllocator',
          clusterCIDR: spec.podCIDR,
          clusterName: safeName(clusterName),
          controllers: ['*'],
          image: CLOUD_CONTROLLER,
          leaderElection: { leaderElect: true },
        },
      };
    }),
  },
];
