import { CLOUD_TRAITS, type CloudTraits } from '@kopsctl/spec/cloud-traits.ts';

/** Machines that a person enrolls: nothing makes them, balances their load or gives them rights. */
export const METAL_TRAITS: CloudTraits = {
  ...CLOUD_TRAITS,
  hasCloudProvider: false,
  hasLoadBalancers: false,
  givesStoreRights: false,
  routesPods: 'machines',
};
