import { list, map, object } from './field.ts';
import { plainEnvVar } from './env-var.ts';

/** The pod network of AWS. */
export const amazonVpc = object({
  env: list(plainEnvVar),
  imageName: 'string',
  initImageName: 'string',
  networkPolicyAgentImage: 'string',
});

/** A pod network that the user installs. */
export const cni = object({ usesSecondaryIP: 'bool' });

/** Lyft's CNI as the pod network. */
export const lyftVpc = object({ subnetTags: map('string') });
