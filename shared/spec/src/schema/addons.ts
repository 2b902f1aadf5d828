import { list, map, object, type ValueOf } from './field.ts';

export const addon = object({ manifest: 'string' });

/** A manifest of the user to install. */
export interface AddonSpec extends ValueOf<typeof addon> {}

export const awsLoadBalancerController = object({
  cpuLimit: 'quantity',
  cpuRequest: 'quantity',
  enableShield: 'bool',
  enableWAF: 'bool',
  enableWAFv2: 'bool',
  enabled: 'bool',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
  version: 'string',
});

/** AWS load balancers for Services and Ingresses. */
export interface AWSLoadBalancerControllerSpec extends ValueOf<typeof awsLoadBalancerController> {}

export const certManager = object({
  defaultIssuer: 'string',
  enabled: 'bool',
  featureGates: map('bool'),
  hostedZoneIDs: list('string'),
  image: 'string',
  managed: 'bool',
  nameservers: list('string'),
});

/** cert-manager. */
export interface CertManagerSpec extends ValueOf<typeof certManager> {}

export const clusterAutoscaler = object({
  awsUseStaticInstanceList: 'bool',
  balanceSimilarNodeGroups: 'bool',
  cordonNodeBeforeTerminating: 'bool',
  cpuRequest: 'quantity',
  createPriorityExpanderConfig: 'bool',
  customPriorityExpanderConfig: map(list('string')),
  emitPerNodegroupMetrics: 'bool',
  enabled: 'bool',
  expander: 'string',
  ignoreDaemonSetsUtilization: 'bool',
  image: 'string',
  maxNodeProvisionTime: 'string',
  memoryRequest: 'quantity',
  newPodScaleUpDelay: 'string',
  podAnnotations: map('string'),
  scaleDownDelayAfterAdd: 'string',
  scaleDownUnneededTime: 'string',
  scaleDownUnreadyTime: 'string',
  scaleDownUtilizationThreshold: 'string',
  skipNodesWithCustomControllerPods: 'bool',
  skipNodesWithLocalStorage: 'bool',
  skipNodesWithSystemPods: 'bool',
});

/** Cluster Autoscaler. */
export interface ClusterAutoscalerSpec extends ValueOf<typeof clusterAutoscaler> {}

export const externalDns = object({
  disable: 'bool',
  priorityClassName: 'string',
  provider: 'string',
  watchIngress: 'bool',
  watchNamespace: 'string',
});

/** DNS records for Services and Ingresses. */
export interface ExternalDNSSpec extends ValueOf<typeof externalDns> {}

export const karpenter = object({
  cpuRequest: 'quantity',
  enabled: 'bool',
  featureGates: 'string',
  image: 'string',
  logEncoding: 'string',
  logLevel: 'string',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
});

/** Karpenter. */
export interface KarpenterSpec extends ValueOf<typeof karpenter> {}

export const metricsServer = object({ enabled: 'bool', image: 'string', insecure: 'bool' });

/** metrics-server. */
export interface MetricsServerSpec extends ValueOf<typeof metricsServer> {}

export const nodeProblemDetector = object({
  cpuLimit: 'quantity',
  cpuRequest: 'quantity',
  enabled: 'bool',
  image: 'string',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
});

/** node-problem-detector. */
export interface NodeProblemDetectorSpec extends ValueOf<typeof nodeProblemDetector> {}

export const nodeTerminationHandler = object({
  cpuRequest: 'quantity',
  deleteSQSMsgIfNodeNotFound: 'bool',
  enableOutOfServiceTaint: 'bool',
  enableRebalanceDraining: 'bool',
  enableRebalanceMonitoring: 'bool',
  enableSQSTerminationDraining: 'bool',
  enableScheduledEventDraining: 'bool',
  enableSpotInterruptionDraining: 'bool',
  enabled: 'bool',
  excludeFromLoadBalancers: 'bool',
  managedASGTag: 'string',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
  podTerminationGracePeriod: 'int32',
  prometheusEnable: 'bool',
  taintNode: 'bool',
  version: 'string',
  webhookTemplate: 'string',
  webhookURL: 'string',
});

/** AWS node termination handler. */
export interface NodeTerminationHandlerSpec extends ValueOf<typeof nodeTerminationHandler> {}

export const podIdentityWebhook = object({ enabled: 'bool', replicas: 'int' });

/** Roles for service accounts, by a webhook. */
export interface PodIdentityWebhookSpec extends ValueOf<typeof podIdentityWebhook> {}

export const snapshotController = object({ enabled: 'bool', installDefaultClass: 'bool' });

/** The volume snapshot controller. */
export interface SnapshotControllerSpec extends ValueOf<typeof snapshotController> {}
