import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { ClusterRule } from '@kopsctl/spec/complete/rule.ts';

export const usesExternalDns = ({ externalDns }: ClusterSpec): boolean =>
  externalDns?.provider === 'external-dns' && externalDns.disable !== true;

/** Defaults of external-dns, where the spec chooses it. */
export const externalDnsDefaults: ClusterRule = {
  name: 'kops default of external-dns',
  infer: ({ spec }) => (usesExternalDns(spec) ? { externalDns: { priorityClassName: 'system-cluster-critical' } } : {}),
};
