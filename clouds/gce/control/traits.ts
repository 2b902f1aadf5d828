import { CLOUD_TRAITS, type CloudTraits } from '@kopsctl/spec/cloud-traits.ts';
import { isCloudKmsKeyName } from '../node/cloud-kms-key-name.ts';

export const GCE_TRAITS: CloudTraits = {
  ...CLOUD_TRAITS,
  namesLoadBalancers: false,
  stateKeys: {
    form: 'the name of a key of Cloud KMS (projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY)',
    isKey: isCloudKmsKeyName,
  },
};
