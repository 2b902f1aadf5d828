import type { AwsCloud } from './aws-cloud.ts';

/**
 * Lists of IAM contain no tags, so the tags of each candidate are requested: names that contain the cluster's name, or
 * end in the hash of a truncated name.
 */
export const mayBeOurs = ({ clusterName }: AwsCloud, name: string): boolean =>
  name.includes(clusterName) || /-[0-9a-v]{6}$/.test(name);
