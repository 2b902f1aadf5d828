/**
 * The names that kops publishes (kops pkg/apis/kops/model, upup/pkg/fi/cloudup/dns.go). Its dns-controller and protokube
 * leave no ownership records, so these names alone tell that a record was theirs.
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
 * Names that only agents of the machines ever wrote: where nobody wants them any more, they are garbage. The API's names
 * are not among them: with a load balancer they are its names, and made together with it.
 */
export function isAgentsName(name: string, clusterName: string): boolean {
  const suffix = `.internal.${clusterName}`;
  if (!name.endsWith(suffix)) return false;
  const first = name.slice(0, -suffix.length);
  return first === 'kops-controller' || /^etcd(-[a-z0-9]+)+$/.test(first);
}

/** Any name that kops publishes for a cluster. */
export function isKopsName(name: string, clusterName: string): boolean {
  const { api, apiInternal } = kopsNames(clusterName);
  return name === api || name === apiInternal || isAgentsName(name, clusterName);
}
