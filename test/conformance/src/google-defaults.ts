/** A resource as Compute Engine answers it. */
export type Resource = Readonly<Record<string, unknown>>;

/**
 * A resource of Compute Engine as it is answered: with what Google adds to what was sent (compute.v1 discovery document, and the
 * page of each resource at https://cloud.google.com/compute/docs/reference/rest/v1). A comparison with the spec must tolerate it.
 */
export function asAnswered(collection: string, resource: Resource): Resource {
  const more = ADDED[collection]?.(resource) ?? {};
  return { ...more, ...resource, ...deeper(collection, resource) };
}

const CHECKED = { checkIntervalSec: 5, timeoutSec: 5, healthyThreshold: 2, unhealthyThreshold: 2 };

/** Fields that a request may leave out. */
const ADDED: Readonly<Record<string, (resource: Resource) => Resource>> = {
  addresses: ({ addressType }) => ({ ...(addressType !== 'INTERNAL' && { networkTier: 'PREMIUM' }) }),
  backendServices: () => ({
    sessionAffinity: 'NONE',
    timeoutSec: 30,
    connectionDraining: { drainingTimeoutSec: 0 },
  }),
  disks: () => ({ physicalBlockSizeBytes: '4096' }),
  firewalls: ({ sourceRanges, sourceTags }) => ({
    description: '',
    direction: 'INGRESS',
    disabled: false,
    priority: 1000,
    logConfig: { enable: false },
    ...(sourceRanges === undefined && sourceTags === undefined && { sourceRanges: ['0.0.0.0/0'] }),
  }),
  forwardingRules: ({ loadBalancingScheme }) => ({
    description: '',
    networkTier: 'PREMIUM',
    ...(loadBalancingScheme === 'INTERNAL' && { allPorts: false, allowGlobalAccess: false }),
  }),
  healthChecks: () => ({ ...CHECKED, description: '', logConfig: { enable: false } }),
  httpHealthChecks: () => ({ ...CHECKED, description: '', host: '', port: 80, requestPath: '/' }),
  instanceGroupManagers: ({ versions }) => ({
    instanceTemplate: (versions as readonly Resource[] | undefined)?.[0]?.['instanceTemplate'] ?? '',
  }),
  networks: () => ({
    networkFirewallPolicyEnforcementOrder: 'AFTER_CLASSIC_FIREWALL',
    routingConfig: { routingMode: 'REGIONAL' },
  }),
  routers: () => ({ encryptedInterconnectRouter: false }),
  subnetworks: ({ ipCidrRange }) => ({
    gatewayAddress: firstIn(String(ipCidrRange)),
    privateIpGoogleAccess: false,
    privateIpv6GoogleAccess: 'DISABLE_GOOGLE_ACCESS',
    purpose: 'PRIVATE',
    stackType: 'IPV4_ONLY',
  }),
  targetPools: () => ({ sessionAffinity: 'NONE' }),
};

/** What is added inside of fields that were sent. */
function deeper(collection: string, resource: Resource): Resource {
  switch (collection) {
    case 'healthChecks': {
      const field = resource['type'] === 'SSL' ? 'sslHealthCheck' : 'tcpHealthCheck';
      return resource[field] === undefined ? {} : { [field]: { proxyHeader: 'NONE', ...inside(resource[field]) } };
    }
    case 'backendServices':
      return each(resource, 'backends', (backend) => ({ failover: false, ...backend }));
    case 'instanceGroupManagers':
      return {
        updatePolicy: {
          replacementMethod: 'SUBSTITUTE',
          maxSurge: FIXED,
          maxUnavailable: FIXED,
          ...inside(resource['updatePolicy']),
        },
      };
    case 'routers':
      return each(resource, 'nats', (nat) => ({
        autoNetworkTier: 'PREMIUM',
        enableDynamicPortAllocation: false,
        enableEndpointIndependentMapping: false,
        endpointTypes: ['ENDPOINT_TYPE_VM'],
        type: 'PUBLIC',
        ...nat,
      }));
    case 'subnetworks': {
      if (resource['stackType'] !== 'IPV4_IPV6') return {};
      return { ipv6AccessType: 'EXTERNAL', externalIpv6Prefix: '2600:1900:4000:1::/64' };
    }
    default:
      return {};
  }
}

const FIXED = { fixed: 1, calculated: 1 };

const inside = (value: unknown): Resource => (typeof value === 'object' && value !== null ? (value as Resource) : {});

const each = (resource: Resource, field: string, change: (one: Resource) => Resource): Resource =>
  resource[field] === undefined ? {} : { [field]: (resource[field] as readonly Resource[]).map(change) };

/** Google takes the first address of a range for the gateway. */
const firstIn = (cidr: string): string => {
  const [, before = '', last = '0'] = /^(\d+\.\d+\.\d+\.)(\d+)\//.exec(cidr) ?? [];
  return `${before}${Number(last) + 1}`;
};
