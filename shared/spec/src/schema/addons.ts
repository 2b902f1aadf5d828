import { list, map, object, type ValueOf } from './field.ts';

/** A manifest of the user to install. */
export const addon = object({ manifest: 'string' });

/** AWS load balancers for Services and Ingresses. */
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

/** Cluster Autoscaler. */
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

/** DNS records for Services and Ingresses. */
export const externalDns = object({
  disable: 'bool',
  priorityClassName: 'string',
  provider: 'string',
  watchIngress: 'bool',
  watchNamespace: 'string',
});

/** Karpenter. */
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

/** metrics-server. */
export const metricsServer = object({ enabled: 'bool', image: 'string', insecure: 'bool' });

/** node-problem-detector. */
export const nodeProblemDetector = object({
  cpuLimit: 'quantity',
  cpuRequest: 'quantity',
  enabled: 'bool',
  image: 'string',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
});

/** AWS node termination handler. */
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

/** Roles for service accounts, by a webhook. */
export const podIdentityWebhook = object({ enabled: 'bool', replicas: 'int' });

/** The volume snapshot controller. */
export const snapshotController = object({ enabled: 'bool', installDefaultClass: 'bool' });
