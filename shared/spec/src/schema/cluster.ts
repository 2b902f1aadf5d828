import { list, map, object, type ValueOf } from './field.ts';
import { authentication, authorization, iam, nodeAuthorization, serviceAccountIssuerDiscovery } from './access.ts';
import {
  addon,
  awsLoadBalancerController,
  certManager,
  clusterAutoscaler,
  externalDns,
  karpenter,
  metricsServer,
  nodeProblemDetector,
  nodeTerminationHandler,
  podIdentityWebhook,
  snapshotController,
} from './addons.ts';
import { assets, target } from './assets.ts';
import { cloudConfig } from './cloud-config.ts';
import { cloudControllerManager } from './cloud-controller-manager.ts';
import { containerd } from './containerd.ts';
import { docker } from './docker.ts';
import { cloudProvider } from './enums.ts';
import { etcdCluster } from './etcd.ts';
import { dnsControllerGossip, gossip } from './gossip.ts';
import { kubeApiserver } from './kube-apiserver.ts';
import { kubeControllerManager } from './kube-controller-manager.ts';
import { kubeDns } from './kube-dns.ts';
import { kubeProxy } from './kube-proxy.ts';
import { kubeScheduler } from './kube-scheduler.ts';
import { kubelet } from './kubelet.ts';
import { fileAsset, hook, rollingUpdate, warmPool } from './machines.ts';
import { networking } from './networking.ts';
import { apiAccess, egressProxy, subnet, topology } from './topology.ts';

export const clusterSpec = object({
  DisableSubnetTags: 'bool',
  additionalNetworkCIDRs: list('string'),
  additionalPolicies: map('string'),
  additionalSans: list('string'),
  addons: list(addon),
  api: apiAccess,
  assets,
  authentication,
  authorization,
  awsLoadBalancerController,
  certManager,
  channel: 'string',
  cloudConfig,
  cloudControllerManager,
  cloudLabels: map('string'),
  cloudProvider,
  clusterAutoscaler,
  clusterDNSDomain: 'string',
  configBase: 'string',
  configStore: 'string',
  containerRuntime: 'string',
  containerd,
  dnsControllerGossipConfig: dnsControllerGossip,
  dnsZone: 'string',
  docker,
  egressProxy,
  encryptionConfig: 'bool',
  etcdClusters: list(etcdCluster),
  externalDns,
  externalPolicies: map(list('string')),
  fileAssets: list(fileAsset),
  gossipConfig: gossip,
  hooks: list(hook),
  iam,
  isolateMasters: 'bool',
  karpenter,
  keyStore: 'string',
  kubeAPIServer: kubeApiserver,
  kubeControllerManager,
  kubeDNS: kubeDns,
  kubeProxy,
  kubeScheduler,
  kubelet,
  kubernetesApiAccess: list('string'),
  kubernetesVersion: 'string',
  masterInternalName: 'string',
  masterKubelet: kubelet,
  masterPublicName: 'string',
  metricsServer,
  networkCIDR: 'string',
  networkID: 'string',
  networking,
  nodeAuthorization,
  nodePortAccess: list('string'),
  nodeProblemDetector,
  nodeTerminationHandler,
  nonMasqueradeCIDR: 'string',
  ntp: object({ managed: 'bool' }),
  packages: list('string'),
  podCIDR: 'string',
  podIdentityWebhook,
  project: 'string',
  rollingUpdate,
  secretStore: 'string',
  serviceAccountIssuerDiscovery,
  serviceClusterIPRange: 'string',
  // Replaced by serviceAccountIssuerDiscovery and without effect. Existing specs may still contain it.
  serviceOIDCProvider: object({ issuerCAThumbprints: list('string'), issuerURL: 'string' }),
  snapshotController,
  sshAccess: list('string'),
  sshKeyName: 'string',
  subnets: list(subnet),
  sysctlParameters: list('string'),
  target,
  topology,
  updatePolicy: 'string',
  useHostCertificates: 'bool',
  warmPool,
});

/** The spec of a cluster as users write it. */
export interface ClusterSpec extends ValueOf<typeof clusterSpec> {}
