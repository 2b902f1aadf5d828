import { addressAt, formatCidr, parseCidr, subrange } from '../cidr.ts';
import type { ClusterSpec } from '../cluster.ts';
import type { ClusterRule } from './rule.ts';

/** Pod and service ranges are parts of the range that is not masqueraded, as in kops. */
export const networkRules: readonly ClusterRule[] = [
  {
    name: 'range of the shared network',
    infer: ({ spec, facts }) => ({ networkCIDR: spec.networkID === undefined ? undefined : facts.networkCidr }),
  },
  {
    name: 'kops default',
    infer: ({ spec }) => ({
      nonMasqueradeCIDR: '100.64.0.0/10',
      clusterDNSDomain: 'cluster.local',
      networking: spec.networking === undefined ? { kubenet: {} } : undefined,
      ...topologyOf(spec),
    }),
  },
  {
    // A firewall needs the range that the API server uses (kops pkg/model/context.go).
    name: 'default of Kubernetes, which spec.nodePortAccess opens',
    infer: ({ spec: { nodePortAccess = [] } }) =>
      nodePortAccess.length > 0 ? { kubeAPIServer: { serviceNodePortRange: '30000-32767' } } : {},
  },
  {
    name: 'part of spec.nonMasqueradeCIDR',
    infer: ({ spec }) => {
      const range = parseCidr(spec.nonMasqueradeCIDR ?? '');
      if (range === undefined) return {};
      if (range.family === 'ipv6') return { serviceClusterIPRange: 'fd00:5e4f:ce::/108' };
      const [services, pods] = [subrange(range, 3, 0), subrange(range, 1, 1)];
      return {
        serviceClusterIPRange: services && formatCidr(services),
        podCIDR: pods && formatCidr(pods),
      };
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
            localIP: spec.kubeDNS?.nodeLocalDNS?.enabled === true ? '169.254.20.10' : undefined,
          },
        },
      };
    },
  },
];

function topologyOf({ topology, api }: ClusterSpec) {
  const dnsType = topology?.dns?.type ?? 'Public';
  return {
    topology: { dns: { type: dnsType } },
    api: api !== undefined ? undefined : dnsType === 'None' ? { loadBalancer: { type: 'Public' } } : { dns: {} },
  };
}
