import { list, object } from './field.ts';

/** OpenStack. */
export const openstack = object({
  blockStorage: object({
    'bs-version': 'string',
    clusterName: 'string',
    createStorageClass: 'bool',
    csiPluginImage: 'string',
    csiTopologySupport: 'bool',
    'ignore-volume-az': 'bool',
    'ignore-volume-microversion': 'bool',
    metricsEnabled: 'bool',
    'override-volume-az': 'string',
  }),
  insecureSkipVerify: 'bool',
  loadbalancer: object({
    enableIngressHostname: 'bool',
    flavorID: 'string',
    floatingNetwork: 'string',
    floatingNetworkID: 'string',
    floatingSubnet: 'string',
    ingressHostnameSuffix: 'string',
    manageSecurityGroups: 'bool',
    method: 'string',
    provider: 'string',
    subnetID: 'string',
    useOctavia: 'bool',
  }),
  metadata: object({ configDrive: 'bool' }),
  monitor: object({ delay: 'string', maxRetries: 'int', timeout: 'string' }),
  network: object({
    addressSortOrder: 'string',
    availabilityZoneHints: list('string'),
    internalNetworkNames: list('string'),
    ipv6SupportDisabled: 'bool',
    publicNetworkNames: list('string'),
  }),
  router: object({
    availabilityZoneHints: list('string'),
    dnsServers: 'string',
    externalNetwork: 'string',
    externalSubnet: 'string',
  }),
});
