import { CLOUD_TRAITS, type CloudTraits } from '@kopsctl/spec/cloud-traits.ts';

export const AWS_TRAITS: CloudTraits = {
  ...CLOUD_TRAITS,
  hasPrefixLists: true,
  checksSource: 'unless-disabled',
  takesOneSshKey: true,
  stateKeys: 'aws-kms',
};
