import type { AwsCloud } from './aws-cloud.ts';

/** IAM lists no tags, so that each name that may be of this cluster is asked for its own: those that hold it, or end in the hash of a long one. */
export const mayBeOurs = ({ clusterName }: AwsCloud, name: string): boolean =>
  name.includes(clusterName) || /-[0-9a-v]{6}$/.test(name);
