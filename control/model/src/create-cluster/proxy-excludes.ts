import { addressAt, parseCidr } from '@kopsctl/spec/cidr.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';

/**
 * What machines reach without the proxy: what the spec says, and the cluster itself. As in kops, it is written down when the
 * cluster is created (upup/pkg/fi/cloudup/defaults.go). Undefined without a proxy.
 *
 * @param more an address that machines reach in this cloud
 */
export function proxyExcludes(clusterName: string, spec: ClusterSpec, more: string | undefined): string | undefined {
  const { egressProxy, nonMasqueradeCIDR, networkCIDR, additionalNetworkCIDRs = [] } = spec;
  if (egressProxy === undefined) return undefined;
  const wished = egressProxy.excludes ?? '';
  const own = [
    '127.0.0.1',
    'localhost',
    spec.clusterDNSDomain,
    spec.masterPublicName,
    clusterName,
    // The address of the API inside the cluster.
    firstAddress(nonMasqueradeCIDR),
    nonMasqueradeCIDR,
    more,
    networkCIDR,
    ...additionalNetworkCIDRs,
  ].filter((one) => one !== undefined && one !== '' && !wished.includes(one));
  return [...(wished === '' ? [] : [wished]), ...own].join(',');
}

function firstAddress(range: string | undefined): string | undefined {
  const parsed = parseCidr(range ?? '');
  return parsed && addressAt(parsed, 1);
}
