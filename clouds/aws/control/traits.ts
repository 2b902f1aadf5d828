import { CLOUD_TRAITS, type CloudTraits } from '@kopsctl/spec/cloud-traits.ts';
import { isKmsKeyName } from '../node/kms-key-name.ts';

export const AWS_TRAITS: CloudTraits = {
  ...CLOUD_TRAITS,
  hasPrefixLists: true,
  checksSource: 'unless-disabled',
  namesMachinesByGroup: false,
  takesOneSshKey: true,
  stateKeys: { form: 'the ARN of a key of AWS KMS (arn:aws:kms:REGION:ACCOUNT:key/ID)', isKey: isKmsKeyName },
};
