import { CLOUD_TRAITS, type CloudTraits } from '@kopsctl/spec/cloud-traits.ts';
import { AGE_KEYS } from '@kopsctl/spec/state-key.ts';

export const LOCAL_TRAITS: CloudTraits = {
  ...CLOUD_TRAITS,
  sharesHost: true,
  bringsImages: true,
  hasCloudProvider: false,
  hasLoadBalancers: false,
  routesPods: 'machines',
  stateKeys: AGE_KEYS,
};
