import type { ClusterSpec } from '../cluster.ts';
import { usesCloudRoutes } from '../names.ts';
import type { ClusterRule } from './rule.ts';

const NODE_TERMINATION_HANDLER = {
  cpuRequest: '50m',
  deleteSQSMsgIfNodeNotFound: false,
  enableOutOfServiceTaint: false,
  enableRebalanceDraining: false,
  enableRebalanceMonitoring: false,
  enableScheduledEventDraining: true,
  enableSpotInterruptionDraining: true,
  excludeFromLoadBalancers: true,
  managedASGTag: 'aws-node-termination-handler/managed',
  memoryRequest: '64Mi',
  podTerminationGracePeriod: -1,
  prometheusEnable: false,
  taintNode: false,
  version: 'v1.25.5',
};

const onAws =
  (infer: ClusterRule['infer']): ClusterRule['infer'] =>
  (known) =>
    known.spec.cloudProvider === 'aws' ? infer(known) : {};

/** What kops adds on AWS (pkg/model/components). */
export const awsRules: readonly ClusterRule[] = [
  {
    name: 'kops default of the node termination handler',
    // Karpenter watches over the ends of its machines itself.
    infer: onAws(({ spec }) => {
      const enabled = spec.nodeTerminationHandler?.enabled ?? spec.karpenter?.enabled !== true;
      return { nodeTerminationHandler: { enabled, ...(enabled ? NODE_TERMINATION_HANDLER : {}) } };
    }),
  },
  {
    name: 'kops default of the EBS storage driver',
    infer: onAws(({ defaults }) =>
      defaults?.externalCloudProvider === true
        ? { cloudConfig: { awsEBSCSIDriver: { enabled: true, version: 'v1.58.0' } } }
        : {},
    ),
  },
  {
    name: 'kops default of the cloud controller manager',
    infer: onAws(({ spec, clusterName, defaults }) => {
      if (defaults?.externalCloudProvider !== true) return {};
      return {
        cloudControllerManager: {
          allocateNodeCIDRs: true,
          clusterCIDR: spec.podCIDR,
          clusterName,
          configureCloudRoutes: usesCloudRoutes(spec),
          image: 'registry.k8s.io/provider-aws/cloud-controller-manager:v1.36.1',
          leaderElection: { leaderElect: true },
        },
      };
    }),
  },
  {
    name: 'default of the API load balancer',
    infer: onAws(({ spec }) => {
      if (spec.api?.loadBalancer === undefined) return {};
      // Where it is the machines' only way to the API, it must lead to a control plane in any zone.
      const crossZoneLoadBalancing = spec.topology?.dns?.type === 'None' ? true : undefined;
      return { api: { loadBalancer: { class: 'Network', type: 'Public', crossZoneLoadBalancing } } };
    }),
  },
  {
    name: 'kops default of Calico',
    // Packets between pods of one subnet go without a tunnel, which EC2 takes for forged.
    infer: onAws(({ spec }) =>
      spec.networking?.calico === undefined || spec.nonMasqueradeCIDR === '::/0'
        ? {}
        : { networking: { calico: { awsSrcDstCheck: 'Disable' } } },
    ),
  },
];

/** Where the documents that prove the cluster's service accounts are read, and so the name of who issues them. */
export function issuerOf({ serviceAccountIssuerDiscovery: discovery, subnets }: ClusterSpec): string | undefined {
  const store = discovery?.discoveryStore;
  if (store === undefined || store === '') return undefined;
  const [, scheme, bucket, path] = /^([a-z0-9]+):\/\/([^/]+)\/?(.*?)\/*$/.exec(store) ?? [];
  const below = path === undefined || path === '' ? '' : `/${path}`;
  if (scheme === 'memfs') return `https://${bucket}${below}`;
  const region = /^([a-z]+(?:-[a-z]+)+-\d+)/.exec(subnets?.[0]?.zone ?? '')?.[1];
  if (scheme !== 's3' || region === undefined) return undefined;
  return `https://${bucket}.s3.${region}.amazonaws.com${below}`;
}
