import { list, object, type ValueOf } from './field.ts';

/** The load balancer in front of the API. */
const loadBalancerAccess = object({
  accessLog: object({ bucket: 'string', bucketPrefix: 'string', interval: 'int' }),
  additionalSecurityGroups: list('string'),
  class: 'string',
  crossZoneLoadBalancing: 'bool',
  idleTimeoutSeconds: 'int',
  securityGroupOverride: 'string',
  sslCertificate: 'string',
  sslPolicy: 'string',
  subnets: list(object({ allocationId: 'string', name: 'string', privateIPv4Address: 'string' })),
  type: 'string',
  useForInternalApi: 'bool',
});

/** How the API is reached. */
export const apiAccess = object({ dns: object({}), loadBalancer: loadBalancerAccess });

/** The HTTP proxy for outgoing connections. */
export const egressProxy = object({ excludes: 'string', httpProxy: object({ host: 'string', port: 'int' }) });

export const subnet = object({
  additionalRoutes: list(object({ cidr: 'string', target: 'string' })),
  cidr: 'string',
  egress: 'string',
  id: 'string',
  ipv6CIDR: 'string',
  name: 'string',
  publicIP: 'string',
  region: 'string',
  type: 'string',
  zone: 'string',
});

/** One subnet. */
export interface ClusterSubnetSpec extends ValueOf<typeof subnet> {}

/** Which parts of the cluster are public or private. */
export const topology = object({
  bastion: object({
    bastionPublicName: 'string',
    idleTimeoutSeconds: 'int',
    loadBalancer: object({ additionalSecurityGroups: list('string'), type: 'string' }),
  }),
  dns: object({ type: 'string' }),
  masters: 'string',
  nodes: 'string',
});
