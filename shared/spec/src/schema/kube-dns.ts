import { list, map, object, type ValueOf } from './field.ts';
import { affinity } from './affinity.ts';

export const kubeDns = object({
  affinity,
  cacheMaxConcurrent: 'int',
  cacheMaxSize: 'int',
  coreDNSImage: 'string',
  cpaImage: 'string',
  cpuRequest: 'quantity',
  domain: 'string',
  externalCoreFile: 'string',
  image: 'string',
  memoryLimit: 'quantity',
  memoryRequest: 'quantity',
  nodeLocalDNS: object({
    additionalConfig: 'string',
    cpuRequest: 'quantity',
    enabled: 'bool',
    externalCoreFile: 'string',
    forwardToKubeDNS: 'bool',
    image: 'string',
    localIP: 'string',
    memoryRequest: 'quantity',
    podAnnotations: map('string'),
  }),
  podAnnotations: map('string'),
  provider: 'string',
  replicas: 'int',
  serverIP: 'string',
  stubDomains: map(list('string')),
  tolerations: list(
    object({ effect: 'string', key: 'string', operator: 'string', tolerationSeconds: 'int', value: 'string' }),
  ),
  upstreamNameservers: list('string'),
});

/** The cluster DNS. */
export interface KubeDNSConfig extends ValueOf<typeof kubeDns> {}
