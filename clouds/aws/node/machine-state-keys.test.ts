import { expect, test } from 'vitest';
import { machineStateKeys } from './machine-state-keys.ts';

const ARN = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';

test('a machine opens keys of KMS, each once', async () => {
  const openKey = machineStateKeys({});
  const key = await openKey(ARN, undefined);
  expect(key.name).toBe(ARN);
  expect(await openKey(ARN, undefined)).toBe(key);
});

test.each([
  'arn:aws:kms:evil.example.com/#:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  'arn:aws:kms:us-east-1@evil.example.com:123456789012:key/1234abcd',
  'age1wvwvpmkvrjhuwfkdskc360934p8gjag0tk04ymhtvv79hce3lc9s8egeha',
])('a name from the store that is not a key of KMS is refused before anything is asked: %s', async (name) => {
  await expect(machineStateKeys({})(name, undefined)).rejects.toThrow(`cannot open what is sealed with "${name}"`);
});
