import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from './cluster-facts.ts';

/** The environment of programs that reach the Internet through the proxy of the spec; undefined without one. */
export function proxyEnvironment(facts: ClusterFacts): Readonly<Record<string, string>> | undefined {
  const { egressProxy } = facts.spec;
  const { host = '', port } = egressProxy?.httpProxy ?? {};
  if (host === '') return undefined;
  const url = `${/^https?:\/\//.test(host) ? '' : 'http://'}${host}${port === undefined || port === 0 ? '' : `:${port}`}`;
  const direct = reachedDirectly(facts).join(',');
  return { http_proxy: url, https_proxy: url, HTTP_PROXY: url, HTTPS_PROXY: url, no_proxy: direct, NO_PROXY: direct };
}

/**
 * What machines reach without the proxy: what the spec says, and the cluster itself (kops upup/pkg/fi/cloudup/defaults.go).
 */
function reachedDirectly({
  spec,
  clusterName,
  apiPublicName,
  apiInternalName,
  cloud,
}: ClusterFacts): readonly string[] {
  const wished = (spec.egressProxy?.excludes ?? '').split(',').map((one) => one.trim());
  const own = [
    '127.0.0.1',
    'localhost',
    spec.clusterDNSDomain,
    `.${clusterName}`,
    clusterName,
    apiPublicName,
    apiInternalName,
    cloud.metadata.ipv4,
    cloud.metadata.name,
    ...ranges(spec),
  ];
  return [...new Set([...wished, ...own.flatMap((one) => one ?? [])])].filter((one) => one !== '');
}

const ranges = ({ nonMasqueradeCIDR, networkCIDR, additionalNetworkCIDRs = [], subnets = [] }: ClusterSpec) => [
  nonMasqueradeCIDR,
  networkCIDR,
  ...additionalNetworkCIDRs,
  ...(networkCIDR === undefined ? subnets.map(({ cidr }) => cidr) : []),
];
