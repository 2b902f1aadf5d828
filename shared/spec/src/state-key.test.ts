import { expect, test } from 'vitest';
import { parseStateKey } from './state-key.ts';

const ALICE = 'age1wvwvpmkvrjhuwfkdskc360934p8gjag0tk04ymhtvv79hce3lc9s8egeha';
const BOB = ALICE.replace('age1w', 'age1x');
const NEW = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const CLOUD = 'projects/acme/locations/europe-west3/keyRings/kops/cryptoKeys/state';
const OTHER = 'projects/example.com:acme/locations/global/keyRings/kops_1/cryptoKeys/state-2';
const OLD = 'arn:aws-cn:kms:cn-north-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab';

test.each([
  [ALICE, { kind: 'age', sealsWith: ALICE, opensWith: [] }],
  [`${ALICE}, ${BOB}`, { kind: 'age', sealsWith: `${ALICE},${BOB}`, opensWith: [] }],
  [NEW, { kind: 'aws-kms', sealsWith: NEW, opensWith: [NEW] }],
  [`${NEW},${OLD}`, { kind: 'aws-kms', sealsWith: NEW, opensWith: [NEW, OLD] }],
  [CLOUD, { kind: 'cloud-kms', sealsWith: CLOUD, opensWith: [CLOUD] }],
  [`${CLOUD},${OTHER}`, { kind: 'cloud-kms', sealsWith: CLOUD, opensWith: [CLOUD, OTHER] }],
  [`none,${CLOUD}`, { kind: 'cloud-kms', sealsWith: undefined, opensWith: [CLOUD] }],
  ['none', { kind: undefined, sealsWith: undefined, opensWith: [] }],
  [`none,${OLD}`, { kind: 'aws-kms', sealsWith: undefined, opensWith: [OLD] }],
])('%s is a key', (value, setting) => {
  expect(parseStateKey(value)).toEqual(setting);
});

test.each([
  '',
  'age1',
  ALICE.toUpperCase(),
  `${ALICE},${NEW}`,
  `${ALICE},`,
  `${NEW},none`,
  'none,none',
  `none,${ALICE}`,
  'arn:aws:kms:eu-central-1:123456789012:alias/kops',
  'arn:aws:kms:eu-central-1:123456789012:key/*',
  'arn:aws:s3:::bucket',
  `${CLOUD},${NEW}`,
  `${CLOUD}/cryptoKeyVersions/1`,
  'projects/acme/locations/global/keyRings/kops/cryptoKeys/..',
  'projects/acme/locations/global/keyRings/kops/cryptoKeys/state:encrypt',
  'projects/acme@evil.example.com/locations/global/keyRings/kops/cryptoKeys/state',
  'AGE-SECRET-KEY-1QQQQ',
])('%j is none', (value) => {
  expect(parseStateKey(value)).toBeUndefined();
});
