import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parseDocument } from 'yaml';
import { COMPLETED_BY_KOPS } from '../store/object-paths.ts';

interface Setting {
  /** Below spec. */
  readonly path: readonly string[];
  readonly of: (spec: Cluster['spec']) => string | undefined;
  readonly why: (theirs: string, ours: string) => string;
  readonly next: (cluster: string, theirs: string) => string;
}

/** What kops infers, and whoever uses the cluster relies on: with another value they would lose it. */
const SETTINGS: readonly Setting[] = [
  {
    // Nobody outside the cluster trusts another issuer. kops takes it from what it finds in the cloud, such as the region of
    // a bucket.
    path: ['kubeAPIServer', 'serviceAccountIssuer'],
    of: (spec) => spec.kubeAPIServer?.serviceAccountIssuer,
    why: (theirs, ours) => `kops made ${theirs} the issuer of its service accounts, and kopsctl would make it ${ours}`,
    next: (cluster, theirs) =>
      `run \`kopsctl edit cluster ${cluster}\`, and set spec.kubeAPIServer.serviceAccountIssuer: ${theirs}`,
  },
  {
    // The name of the API in kubeconfigs is that of its load balancer. kops before 1.37 makes a classic one where the spec names
    // no class (upup/pkg/fi/cloudup/populate_cluster_spec.go).
    path: ['api', 'loadBalancer', 'class'],
    of: (spec) => spec.api?.loadBalancer?.class,
    why: (theirs, ours) =>
      `the API has a load balancer of class ${theirs}, and kopsctl would put one of class ${ours} in its place: kubeconfigs and DNS records change with the address of the API`,
    next: (cluster) =>
      `first exchange it with kops: \`kops edit cluster ${cluster}\`, set spec.api.loadBalancer.class: Network, then \`kops update cluster ${cluster} --yes\` and \`kops rolling-update cluster ${cluster} --yes\``,
  },
];

/**
 * Refuses a cluster of kops for which kopsctl would infer something else that those who use it rely on.
 *
 * @param cluster as kopsctl completes it
 * @throws ActionableError
 */
export async function refuseOtherCompletion(
  store: StateStore,
  { metadata: { name }, spec }: Cluster,
  signal: AbortSignal,
): Promise<void> {
  const stored = await Promise.all(COMPLETED_BY_KOPS.map((file) => store.read(`${name}/${file}`, signal)));
  const found = stored.find((one) => one !== undefined);
  if (found === undefined) return;
  const document = parseDocument(new TextDecoder().decode(found.bytes));
  for (const { path, of, why, next } of SETTINGS) {
    const theirs = document.getIn(['spec', ...path]);
    const ours = of(spec);
    if (typeof theirs !== 'string' || ours === undefined || ours === theirs) continue;
    throw new ActionableError({ what: `take over ${name}`, why: why(theirs, ours), next: next(name, theirs) });
  }
}
