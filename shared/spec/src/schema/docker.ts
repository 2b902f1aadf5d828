import { list, object, type ValueOf } from './field.ts';
import { runtimePackages } from './runtime-packages.ts';

export const docker = object({
  authorizationPlugins: list('string'),
  bridge: 'string',
  bridgeIP: 'string',
  dataRoot: 'string',
  defaultRuntime: 'string',
  defaultUlimit: list('string'),
  dns: list('string'),
  execOpt: list('string'),
  execRoot: 'string',
  experimental: 'bool',
  healthCheck: 'bool',
  hosts: list('string'),
  insecureRegistries: list('string'),
  insecureRegistry: 'string',
  ipMasq: 'bool',
  ipTables: 'bool',
  liveRestore: 'bool',
  logDriver: 'string',
  logLevel: 'string',
  logOpt: list('string'),
  maxConcurrentDownloads: 'int32',
  maxConcurrentUploads: 'int32',
  maxDownloadAttempts: 'int32',
  metricsAddress: 'string',
  mtu: 'int32',
  packages: runtimePackages,
  registryMirrors: list('string'),
  runtimes: list('string'),
  selinuxEnabled: 'bool',
  skipInstall: 'bool',
  storage: 'string',
  storageOpts: list('string'),
  userNamespaceRemap: 'string',
  version: 'string',
});

/** Docker as the container runtime, for Kubernetes before 1.24. */
export interface DockerConfig extends ValueOf<typeof docker> {}
