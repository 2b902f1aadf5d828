import { CLOUD_TRAITS, type CloudTraits } from '@kopsctl/spec/cloud-traits.ts';

export const LOCAL_TRAITS: CloudTraits = {
  ...CLOUD_TRAITS,
  sharesHost: true,
  bringsImages: true,
  hasCloudProvider: false,
  hasLoadBalancers: false,
  routesPods: 'machines',
  stateKeys: 'age',
};
