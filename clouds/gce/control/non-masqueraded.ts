import { contains, parseCidr } from '@kopsctl/spec/cidr.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { Correction } from '@kopsctl/spec/complete/rule.ts';
import { usesAliasRanges } from './alias-ranges.ts';
import { PRIVATE_RANGE } from './subnet-ranges.ts';

/**
 * Addresses that the network itself routes are not masqueraded. Where those of pods and Services are ranges of the subnet, a
 * range without them, such as the default of other networks, is replaced (kops upup/pkg/fi/cloudup/gce/network.go).
 */
export const nonMasqueraded: Correction = {
  name: 'addresses that the network of the cluster routes',
  cluster: (spec) =>
    usesAliasRanges(spec) && isWithin(spec, PRIVATE_RANGE) && !isWithin(spec, spec.nonMasqueradeCIDR ?? '')
      ? { ...spec, nonMasqueradeCIDR: PRIVATE_RANGE }
      : spec,
  instanceGroup: (spec) => spec,
};

/** Whether a range has the addresses of pods and Services. */
function isWithin({ podCIDR = '', serviceClusterIPRange = '' }: ClusterSpec, range: string): boolean {
  const outer = parseCidr(range);
  return [podCIDR, serviceClusterIPRange].every((text) => {
    const inner = parseCidr(text);
    return outer !== undefined && inner !== undefined && outer.family === inner.family && contains(outer, inner);
  });
}
