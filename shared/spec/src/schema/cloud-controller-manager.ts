import { list, object } from './field.ts';

/** Flags and settings of the cloud controller manager. */
export const cloudControllerManager = object({
  allocateNodeCIDRs: 'bool',
  allowUntaggedCloud: 'bool',
  azureNodeManagerImage: 'string',
  cidrAllocatorType: 'string',
  cloudProvider: 'string',
  clusterCIDR: 'string',
  clusterName: 'string',
  concurrentNodeSyncs: 'int32',
  configureCloudRoutes: 'bool',
  controllers: list('string'),
  cpuRequest: 'quantity',
  enableLeaderMigration: 'bool',
  image: 'string',
  leaderElection: object({
    leaderElect: 'bool',
    leaderElectLeaseDuration: 'duration',
    leaderElectRenewDeadlineDuration: 'duration',
    leaderElectResourceLock: 'string',
    leaderElectResourceName: 'string',
    leaderElectResourceNamespace: 'string',
    leaderElectRetryPeriod: 'duration',
  }),
  logLevel: 'int32',
  master: 'string',
  nodeStatusUpdateFrequency: 'duration',
  useServiceAccountCredentials: 'bool',
});
