import { CLOUD_TRAITS, type CloudTraits } from '@kopsctl/spec/cloud-traits.ts';

export const GCE_TRAITS: CloudTraits = { ...CLOUD_TRAITS, namesLoadBalancers: false, stateKeys: 'cloud-kms' };
