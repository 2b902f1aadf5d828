import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { bucketPlace } from './bucket-place.ts';

/** The buckets with the state of a cluster, by its spec: the state store, and those of keysets, secrets and backups. */
export function clusterBuckets(spec: ClusterSpec): readonly string[] {
  const backups = (spec.etcdClusters ?? []).map((etcd) => etcd.backups?.backupStore);
  const urls = [spec.configBase, spec.keyStore, spec.secretStore, ...backups];
  return [...new Set(urls.flatMap((url) => bucketPlace(url ?? '')?.bucket ?? []))];
}
