import semver from 'semver';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';

/** The etcd clusters whose version a spec sets; the version of others follows that of Kubernetes by itself. */
export type EtcdVersions = readonly { readonly index: number; readonly name: string; readonly version: string }[];

export const etcdVersionsOf = ({ spec }: Cluster): EtcdVersions =>
  (spec.etcdClusters ?? []).flatMap(({ name = '', version }, index) =>
    version === undefined ? [] : [{ index, name, version: bareVersion(version) }],
  );

/** The etcd clusters of an older minor version than a version of Kubernetes is made for, and what they are to run. Pure. */
export function etcdVersionsBehind(etcds: EtcdVersions, kubernetes: string) {
  const wanted = kubernetesFacts(kubernetes)?.etcdVersion;
  if (wanted === undefined) return [];
  const minor = `${semver.major(wanted)}.${semver.minor(wanted)}.0`;
  return etcds.flatMap((one) =>
    semver.valid(one.version) !== null && semver.lt(one.version, minor) ? [{ ...one, wanted }] : [],
  );
}
