import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';

type Authenticator = NonNullable<NonNullable<ClusterSpec['authentication']>['aws']>;

/** Whether the IAM authenticator reads its file, as it does unless it is told of other backends. */
export const readsFile = ({ backendMode }: Authenticator): boolean =>
  backendMode === undefined || backendMode.split(',').includes('MountedFile');

/**
 * The id of the cluster that the IAM authenticator is told; undefined where its file names one. The default is not in the completed
 * spec, as it is not in that of kops: its addon decides it (kops addon authentication.aws).
 */
export const clusterIdOf = (wished: Authenticator, clusterName: string): string | undefined =>
  wished.clusterID ?? (readsFile(wished) ? undefined : clusterName);

/** What `explain` says of it. */
export function leftToAuthenticator({ authentication }: ClusterSpec): Readonly<Record<string, string>> {
  if (authentication?.aws === undefined) return {};
  const decides = readsFile(authentication.aws) ? 'the one in the file of the authenticator' : "the cluster's name";
  return { 'spec.authentication.aws.clusterID': `no value here: ${decides}` };
}
