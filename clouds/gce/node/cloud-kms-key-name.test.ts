import { expect, test } from 'vitest';
import { isCloudKmsKeyName } from './cloud-kms-key-name.ts';

const NAME = 'projects/acme/locations/europe-west3/keyRings/kops/cryptoKeys/state';

test.each([
  [NAME, true],
  ['projects/example.com:acme/locations/global/keyRings/kops_1/cryptoKeys/state-2', true],
  [`${NAME}/cryptoKeyVersions/1`, false],
  ['projects/acme/locations/global/keyRings/kops/cryptoKeys/..', false],
  ['projects/acme/locations/global/keyRings/kops/cryptoKeys/state:encrypt', false],
  ['projects/acme@evil.example.com/locations/global/keyRings/kops/cryptoKeys/state', false],
  ['none', false],
])('%j names a key: %s', (name, isKey) => {
  expect(isCloudKmsKeyName(name)).toBe(isKey);
});
