import { assignSubnetCidrs } from '@kopsctl/model/create-cluster/subnet-cidrs.ts';
import type { EtcdMemberSpec } from '@kopsctl/spec/cluster.ts';
import { awsAddonRules } from './addon-rules.ts';
import { bucketAddress } from './issuer-store.ts';
import { VOLUME_TYPE } from './machine-rules.ts';
import { networkEndsLast } from './pod-network-rules.ts';
import { leastSpeed } from './volume-speed.ts';
import { isIpv6Alone, roleOf, usesCloudRoutes } from '@kopsctl/spec/names.ts';
import type { Inferred } from '@kopsctl/spec/complete/infer.ts';
import type { ClusterRule } from '@kopsctl/spec/complete/rule.ts';

const NODE_TERMINATION_HANDLER = {
  cpuRequest: '50m',
  deleteSQSMsgIfNodeNotFound: false,
  enableOutOfServiceTaint: false,
  enableRebalanceDraining: false,
  enableRebalanceMonitoring: false,
  enableScheduledEventDraining: true,
  enableSQSTerminationDraining: true,
  enableSpotInterruptionDraining: true,
  excludeFromLoadBalancers: true,
  managedASGTag: 'aws-node-termination-handler/managed',
  memoryRequest: '64Mi',
  podTerminationGracePeriod: -1,
  prometheusEnable: false,
  taintNode: false,
  version: 'v1.25.5',
};

/** The range of a new VPC (kops upup/pkg/fi/cloudup/defaults.go). */
export const VPC_CIDR = '172.20.0.0/16';
/** The smallest subnet is a /28 (VPC user guide, "Subnet sizing"). */
export const LONGEST_PREFIX = 28;

/** The default of AWS (kops pkg/model/awsmodel/api_loadbalancer.go). */
const SSL_POLICY = 'ELBSecurityPolicy-2016-08';

/** Source: kops pkg/model/components/karpenter.go. */
const KARPENTER = {
  image: 'public.ecr.aws/karpenter/controller:1.13.0',
  logEncoding: 'console',
  logLevel: 'debug',
} as const;

/** kops's defaults on AWS (pkg/model/components). */
export const awsRules: readonly ClusterRule[] = [
  ...awsAddonRules,
  networkEndsLast,
  {
    name: 'default of the cloud',
    infer: ({ spec }) => ({ networkCIDR: spec.networkID === undefined ? VPC_CIDR : undefined }),
  },
  {
    name: 'part of spec.networkCIDR',
    // It is not known here which parts of a network of others are free.
    infer: ({ spec }) =>
      spec.networkID === undefined && spec.networkCIDR !== undefined && spec.subnets !== undefined
        ? {
            subnets: assignSubnetCidrs(spec, undefined, LONGEST_PREFIX).subnets?.map(({ name = '', cidr }) => ({
              name,
              cidr,
            })),
          }
        : {},
  },
  {
    // The only server that returns addresses that machines without IPv4 reach (kops pkg/model/components/kubedns.go).
    name: 'kops default of DNS with IPv6 alone',
    infer: ({ spec }) => (isIpv6Alone(spec) ? { kubeDNS: { upstreamNameservers: ['fd00:ec2::253'] } } : {}),
  },
  {
    name: 'kops default of storage classes',
    infer: () => ({ cloudConfig: { manageStorageClasses: true } }),
  },
  {
    name: 'location of the OIDC discovery documents',
    infer: ({ spec }) => ({ kubeAPIServer: { serviceAccountIssuer: bucketAddress(spec) } }),
  },
  {
    name: 'kops default of the node termination handler',
    // Karpenter handles interruptions of its machines itself.
    infer: ({ spec }) => {
      const enabled = spec.nodeTerminationHandler?.enabled ?? spec.karpenter?.enabled !== true;
      return { nodeTerminationHandler: { enabled, ...(enabled ? NODE_TERMINATION_HANDLER : {}) } };
    },
  },
  {
    name: 'kops default of Karpenter',
    infer: ({ spec }) => (spec.karpenter === undefined ? {} : { karpenter: KARPENTER }),
  },
  {
    name: 'kops default of the EBS storage driver',
    infer: ({ spec, defaults }) => {
      const enabled = spec.cloudConfig?.awsEBSCSIDriver?.enabled ?? defaults?.externalCloudProvider;
      return enabled === true
        ? { cloudConfig: { awsEBSCSIDriver: { enabled, managed: true, version: 'v1.58.0' } } }
        : {};
    },
  },
  {
    name: 'kops default of the cloud controller manager',
    infer: ({ spec, clusterName, defaults }) => {
      if (defaults?.externalCloudProvider !== true) return {};
      return {
        cloudControllerManager: {
          allocateNodeCIDRs: !isIpv6Alone(spec),
          clusterCIDR: spec.podCIDR,
          clusterName,
          configureCloudRoutes: usesCloudRoutes(spec),
          leaderElection: { leaderElect: true },
        },
      };
    },
  },
  {
    name: 'default of the API load balancer',
    infer: ({ spec }) => {
      if (spec.api?.loadBalancer === undefined) return {};
      const dns = spec.topology?.dns?.type;
      // Where machines reach the API only through it, it must reach control planes in every zone.
      const crossZoneLoadBalancing = dns === undefined ? undefined : dns === 'None';
      const endsTls = (spec.api.loadBalancer.sslCertificate ?? '') !== '';
      const sslPolicy = endsTls ? SSL_POLICY : undefined;
      return { api: { loadBalancer: { class: 'Network', type: 'Public', crossZoneLoadBalancing, sslPolicy } } };
    },
  },
  {
    name: 'default namespace of service accounts',
    infer: ({ spec }) => ({
      iam: {
        serviceAccountExternalPermissions: spec.iam?.serviceAccountExternalPermissions?.map(({ name }) => ({
          name,
          namespace: 'default',
        })),
      },
    }),
  },
  {
    name: 'default of the load balancer of bastions',
    infer: ({ instanceGroups }) =>
      instanceGroups.some((group) => roleOf(group) === 'Bastion')
        ? { topology: { bastion: { loadBalancer: { type: 'Public' } } } }
        : {},
  },
  {
    name: 'default of the volumes of etcd',
    infer: ({ spec }) => ({
      etcdClusters: spec.etcdClusters?.map(({ name, etcdMembers }) => ({
        name,
        etcdMembers: etcdMembers?.map((member) => etcdVolume(member)),
      })),
    }),
  },
  {
    name: 'kops default of Calico',
    // Packets between pods of one subnet are not encapsulated, so the source/destination check of EC2 would drop them.
    infer: ({ spec }) =>
      spec.networking?.calico === undefined || spec.nonMasqueradeCIDR === '::/0'
        ? {}
        : { networking: { calico: { awsSrcDstCheck: 'Disable' } } },
  },
];

function etcdVolume({ name, volumeType = VOLUME_TYPE }: EtcdMemberSpec): Inferred<EtcdMemberSpec> {
  const { iops, throughput } = leastSpeed(volumeType);
  return {
    name,
    volumeType,
    volumeIops: iops,
    volumeThroughput: throughput,
    encryptedVolume: false,
  };
}
