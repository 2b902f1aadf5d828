import { list, object, type ValueOf } from './field.ts';
import { plainEnvVar } from './env-var.ts';

const etcdMember = object({
  encryptedVolume: 'bool',
  instanceGroup: 'string',
  kmsKeyId: 'string',
  name: 'string',
  volumeIops: 'int32',
  volumeSize: 'int32',
  volumeThroughput: 'int32',
  volumeType: 'string',
});

/** One member of an etcd cluster and the instance group it runs in. */
export interface EtcdMemberSpec extends ValueOf<typeof etcdMember> {}

const etcdManager = object({
  backupInterval: 'duration',
  backupRetentionDays: 'int32',
  discoveryPollInterval: 'duration',
  env: list(plainEnvVar),
  image: 'string',
  listenClientHTTPURLs: list('string'),
  listenMetricsURLs: list('string'),
  logLevel: 'int32',
});

/** How etcd-manager runs this etcd cluster. */
export interface EtcdManagerSpec extends ValueOf<typeof etcdManager> {}

export const etcdCluster = object({
  backups: object({ backupStore: 'string', image: 'string' }),
  cpuRequest: 'quantity',
  enableEtcdTLS: 'bool',
  enableTLSAuth: 'bool',
  etcdMembers: list(etcdMember),
  heartbeatInterval: 'duration',
  image: 'string',
  leaderElectionTimeout: 'duration',
  manager: etcdManager,
  memoryRequest: 'quantity',
  name: 'string',
  provider: 'string',
  version: 'string',
});

/** One etcd cluster: main or events (or cilium). */
export interface EtcdClusterSpec extends ValueOf<typeof etcdCluster> {}
