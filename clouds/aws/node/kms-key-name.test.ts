import { expect, test } from 'vitest';
import { isKmsKeyName } from './kms-key-name.ts';

test.each([
  ['arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab', true],
  ['arn:aws-cn:kms:cn-north-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab', true],
  ['arn:aws:kms:eu-central-1:123456789012:alias/kops', false],
  ['arn:aws:kms:eu-central-1:123456789012:key/*', false],
  ['arn:aws:s3:::bucket', false],
  ['none', false],
  ['', false],
])('%j names a key: %s', (name, isKey) => {
  expect(isKmsKeyName(name)).toBe(isKey);
});
