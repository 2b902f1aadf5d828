import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { clusterBuckets } from './cluster-buckets.ts';
import { isReadInPlace, issuerStore } from './issuer-store.ts';

const PATH = 'spec.serviceAccountIssuerDiscovery.discoveryStore';

/** Where the keys of the issuer cannot be published. */
export function* validateIssuerStore(spec: ClusterSpec): Iterable<Fault> {
  const { discoveryStore = '' } = spec.serviceAccountIssuerDiscovery ?? {};
  if (discoveryStore === '') return;
  const store = issuerStore(spec);
  if (store === undefined) {
    // kops also writes to S3 from here, with credentials for AWS.
    const why = `'${discoveryStore}' is not in Cloud Storage, where clusters in GCE publish the keys of their issuer`;
    yield fault(PATH, why, 'write the URL of a folder in a public bucket: gs://BUCKET/CLUSTER');
  } else if (isReadInPlace(store, spec) && clusterBuckets(spec).includes(store.bucket)) {
    const why = `everybody has to read what is in ${store.bucket}, which has the state of the cluster too`;
    yield fault(PATH, why, 'write the URL of a folder in another bucket: gs://BUCKET/CLUSTER');
  }
}
