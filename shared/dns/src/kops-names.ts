/**
 * The names that kops publishes (kops pkg/apis/kops/model, upup/pkg/fi/cloudup/dns.go). kops's dns-controller and
 * protokube write no ownership records, so only the names show that a record was theirs.
 */
export interface KopsNames {
  readonly api: string;
  readonly apiInternal: string;
  readonly kopsController: string;
}

export function kopsNames(clusterName: string): KopsNames {
  return {
    api: `api.${clusterName}`,
    apiInternal: `api.internal.${clusterName}`,
    kopsController: `kops-controller.internal.${clusterName}`,
  };
}

/**
 * Whether only the agents on the machines write a name, so that it can be deleted when it is no longer wanted. The
 * API's names are excluded: with a load balancer they are created together with it.
 */
export function isAgentsName(name: string, clusterName: string): boolean {
  const suffix = `.internal.${clusterName}`;
  if (!name.endsWith(suffix)) return false;
  const first = name.slice(0, -suffix.length);
  return first === 'kops-controller' || /^etcd(-[a-z0-9]+)+$/.test(first);
}

/** Whether kops publishes a name for a cluster. */
export function isKopsName(name: string, clusterName: string): boolean {
  const { api, apiInternal } = kopsNames(clusterName);
  return name === api || name === apiInternal || isAgentsName(name, clusterName);
}
