import { list, map, object, type ValueOf } from './field.ts';

export const fileAsset = object({
  content: 'string',
  isBase64: 'bool',
  mode: 'string',
  name: 'string',
  path: 'string',
  roles: list('string'),
});

/** A file to write on machines. */
export interface FileAssetSpec extends ValueOf<typeof fileAsset> {}

export const hook = object({
  before: list('string'),
  disabled: 'bool',
  execContainer: object({ command: list('string'), environment: map('string'), image: 'string' }),
  manifest: 'string',
  name: 'string',
  requires: list('string'),
  roles: list('string'),
  useRawManifest: 'bool',
});

/** A systemd unit to run on machines. */
export interface HookSpec extends ValueOf<typeof hook> {}

export const rollingUpdate = object({
  drainAndTerminate: 'bool',
  maxSurge: 'int-or-string',
  maxUnavailable: 'int-or-string',
});

/** The number of machines that are replaced at the same time. */
export interface RollingUpdate extends ValueOf<typeof rollingUpdate> {}

/** Machines that are kept ready for an auto-scaling group. */
export const warmPool = object({
  additionalImages: list('string'),
  enableLifecycleHook: 'bool',
  lifecycleHookTimeout: 'int32',
  maxSize: 'int',
  minSize: 'int',
});

/** An additional part of the user-data. */
export const userData = object({ content: 'string', name: 'string', type: 'string' });

/** A load balancer to register with. */
export const externalLoadBalancer = object({ loadBalancerName: 'string', targetGroupArn: 'string' });

/** GPUs. */
export const guestAccelerator = object({ acceleratorCount: 'int', acceleratorType: 'string' });

/** The instance profile. */
export const iamProfile = object({ profile: 'string' });

/** The instance metadata service. */
export const instanceMetadata = object({ httpPutResponseHopLimit: 'int', httpTokens: 'string' });

/** An instance group with several machine types. */
export const mixedInstancesPolicy = object({
  instanceRequirements: object({
    cpu: object({ max: 'quantity', min: 'quantity' }),
    excludedInstanceTypes: list('string'),
    memory: object({ max: 'quantity', min: 'quantity' }),
  }),
  instances: list('string'),
  onDemandAboveBase: 'int',
  onDemandAllocationStrategy: 'string',
  onDemandBase: 'int',
  spotAllocationStrategy: 'string',
  spotInstancePools: 'int',
});

/** Where an additional volume is formatted and mounted. */
export const volumeMount = object({
  device: 'string',
  filesystem: 'string',
  formatOptions: list('string'),
  mountOptions: list('string'),
  path: 'string',
});

/** An additional volume. */
export const volume = object({
  deleteOnTermination: 'bool',
  device: 'string',
  encrypted: 'bool',
  iops: 'int',
  key: 'string',
  size: 'int',
  throughput: 'int',
  type: 'string',
});
