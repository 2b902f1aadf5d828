import { list, map, object, type ValueOf } from './field.ts';
import { plainEnvVar } from './env-var.ts';

export const amazonVpc = object({
  env: list(plainEnvVar),
  imageName: 'string',
  initImageName: 'string',
  networkPolicyAgentImage: 'string',
});

/** The pod network of AWS. */
export interface AmazonVPCNetworking extends ValueOf<typeof amazonVpc> {}

export const cni = object({ usesSecondaryIP: 'bool' });

/** A pod network that the user installs. */
export interface CNINetworking extends ValueOf<typeof cni> {}

export const lyftVpc = object({ subnetTags: map('string') });

/** Lyft's CNI as the pod network. */
export interface LyftVPCNetworking extends ValueOf<typeof lyftVpc> {}
