/**
 * Flags whose names do not follow from the field names of kops, for all components (kops
 * pkg/apis/kops/componentconfig.go).
 */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  logLevel: 'v',
  logFormat: 'logging-format',
  kubeAPIQPS: 'kube-api-qps',
  enableProfiling: 'profiling',
  enableContentionProfiling: 'contention-profiling',
  endpointSliceUpdatesBatchPeriod: 'endpointslice-updates-batch-period',
  leaderElectRenewDeadlineDuration: 'leader-elect-renew-deadline',
};

/** `serviceClusterIPRange` → `service-cluster-ip-range`, `allocateNodeCIDRs` → `allocate-node-cidrs`. */
export function kebabCase(field: string): string {
  return field
    .replaceAll('CIDRs', 'Cidrs')
    .replace(/([A-Z]+)(?=[A-Z][a-z])|([A-Z]+)/g, (capitals) => `-${capitals.toLowerCase()}`)
    .replace(/^-/, '');
}

/** The flag to which a field of a component's settings corresponds, unless the component has another one. */
export const flagNameOf = (field: string): string => COMMON_NAMES[field] ?? kebabCase(field);
