import { DEFAULT_NODE_PORTS } from '../node-ports.ts';
import { addressAt, formatCidr, parseCidr, subrange } from '../cidr.ts';
import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { isControlPlane, isIpv6Alone, roleOf } from '../names.ts';
import type { ClusterRule } from './rule.ts';

/** The range of pods and Services of a new cluster, which is outside of all private networks (RFC 6598). */
export const NON_MASQUERADE_CIDR = '100.64.0.0/10';

/** Pod and service ranges are parts of the range that is not masqueraded, as in kops. */
export const networkRules: readonly ClusterRule[] = [
  {
    name: 'range of the shared network',
    infer: ({ spec, facts }) => ({ networkCIDR: spec.networkID === undefined ? undefined : facts.networkCidr }),
  },
  {
    name: 'kops default',
    infer: ({ spec, instanceGroups }) => ({
      nonMasqueradeCIDR: NON_MASQUERADE_CIDR,
      clusterDNSDomain: 'cluster.local',
      networking: spec.networking === undefined ? { kubenet: {} } : undefined,
      ...topologyOf(spec, instanceGroups),
    }),
  },
  {
    // A firewall needs the range that the API server uses (kops pkg/model/context.go).
    name: 'Kubernetes default, which spec.nodePortAccess opens',
    infer: ({ spec: { nodePortAccess = [] } }) =>
      nodePortAccess.length > 0 ? { kubeAPIServer: { serviceNodePortRange: DEFAULT_NODE_PORTS } } : {},
  },
  {
    // kops upup/pkg/fi/cloudup/populate_cluster_spec.go: whatever range is not masqueraded.
    name: 'kops default of Services',
    infer: ({ spec }) => {
      const range = parseCidr(spec.nonMasqueradeCIDR ?? '');
      if (range === undefined) return {};
      return { serviceClusterIPRange: range.family === 'ipv6' ? 'fd00:5e4f:ce::/108' : '100.64.0.0/13' };
    },
  },
  {
    name: 'part of spec.nonMasqueradeCIDR',
    infer: ({ spec }) => {
      const range = parseCidr(spec.nonMasqueradeCIDR ?? '');
      const pods = range?.family === 'ipv4' ? subrange(range, 1, 1) : undefined;
      return { podCIDR: pods && formatCidr(pods) };
    },
  },
  {
    name: 'cluster DNS',
    infer: ({ spec }) => {
      const services = parseCidr(spec.serviceClusterIPRange ?? '');
      return {
        kubeDNS: {
          provider: 'CoreDNS',
          domain: spec.clusterDNSDomain,
          serverIP: services && addressAt(services, 10),
          cacheMaxConcurrent: 150,
          cacheMaxSize: 1000,
          cpuRequest: '100m',
          memoryLimit: '170Mi',
          memoryRequest: '70Mi',
          nodeLocalDNS: {
            enabled: false,
            cpuRequest: '25m',
            memoryRequest: '5Mi',
            // kops pkg/model/components/kubedns.go
            localIP: spec.kubeDNS?.nodeLocalDNS?.enabled === true ? nodeLocalAddress(spec) : undefined,
          },
        },
      };
    },
  },
];

const nodeLocalAddress = (spec: ClusterSpec): string => (isIpv6Alone(spec) ? 'fd00:90de:d95::1' : '169.254.20.10');

function topologyOf(spec: ClusterSpec, groups: readonly InstanceGroup[]) {
  const { topology, api } = spec;
  const dnsType = topology?.dns?.type ?? 'Public';
  const isOpen = api?.dns === undefined && api?.loadBalancer === undefined;
  const isBalanced = dnsType === 'None' || servesPrivately(spec, groups);
  return {
    topology: { dns: { type: dnsType } },
    api: !isOpen ? undefined : isBalanced ? { loadBalancer: { type: 'Public' } } : { dns: {} },
  };
}

/** Whether machines with an API server, those of their own if there are any, are in subnets that nobody reaches from outside. */
function servesPrivately({ subnets = [] }: ClusterSpec, groups: readonly InstanceGroup[]): boolean {
  const own = groups.filter((group) => roleOf(group) === 'APIServer');
  const names = (own.length > 0 ? own : groups.filter(isControlPlane)).flatMap(({ spec }) => spec.subnets ?? []);
  return subnets.some(({ name = '', type }) => type === 'Private' && names.includes(name));
}
