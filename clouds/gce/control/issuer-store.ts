import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { type BucketPlace, bucketPlace } from './bucket-place.ts';

/** Where the documents about the issuer of service account tokens are published. */
export interface IssuerStore extends BucketPlace {
  /** The URL under which Cloud Storage itself serves the folder, without a slash at its end (kops util/pkg/vfs/gsfs.go). */
  readonly address: string;
}

/** Undefined where the spec names no folder in Cloud Storage. */
export function issuerStore({ serviceAccountIssuerDiscovery: discovery }: ClusterSpec): IssuerStore | undefined {
  const place = bucketPlace(discovery?.discoveryStore ?? '');
  if (place === undefined) return undefined;
  const { bucket, folder } = place;
  return { ...place, address: `https://storage.googleapis.com/${bucket}/${folder}`.replace(/\/$/, '') };
}

/** Whether everybody reads the documents from Cloud Storage, and not from an issuer of the user's that serves them. */
export const isReadInPlace = ({ address }: IssuerStore, { kubeAPIServer }: ClusterSpec): boolean =>
  kubeAPIServer?.serviceAccountIssuer === address;
