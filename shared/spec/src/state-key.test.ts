import { expect, test } from 'vitest';
import { AGE_KEYS, areOfKind, parseStateKey, type StateKeyKind } from './state-key.ts';

const ALICE = 'age1wvwvpmkvrjhuwfkdskc360934p8gjag0tk04ymhtvv79hce3lc9s8egeha';
const BOB = ALICE.replace('age1w', 'age1x');
/** Keys of a cloud's own service. */
const CLOUD_KEYS: StateKeyKind = { form: 'a key', isKey: (name) => /^keys\/[a-z]+$/.test(name) };
const [NEW, OLD] = ['keys/new', 'keys/old'];

test.each([
  [ALICE, AGE_KEYS, { sealsWith: ALICE, opensWith: [] }],
  [`${ALICE}, ${BOB}`, AGE_KEYS, { sealsWith: `${ALICE},${BOB}`, opensWith: [] }],
  ['none', AGE_KEYS, { sealsWith: undefined, opensWith: [] }],
  [NEW, CLOUD_KEYS, { sealsWith: NEW, opensWith: [NEW] }],
  [`${NEW}, ${OLD}`, CLOUD_KEYS, { sealsWith: NEW, opensWith: [NEW, OLD] }],
  [`none,${OLD}`, CLOUD_KEYS, { sealsWith: undefined, opensWith: [OLD] }],
  ['none', CLOUD_KEYS, { sealsWith: undefined, opensWith: [] }],
])('%s is a key', (value, kind, expected) => {
  const setting = parseStateKey(value);
  expect(setting).toEqual(expected);
  expect(setting && areOfKind(setting, kind)).toBe(true);
});

test.each([
  ['', AGE_KEYS],
  ['', CLOUD_KEYS],
  ['age1', AGE_KEYS],
  [ALICE.toUpperCase(), AGE_KEYS],
  [`${ALICE},${NEW}`, AGE_KEYS],
  [`${ALICE},${NEW}`, CLOUD_KEYS],
  [`${ALICE},`, AGE_KEYS],
  [`none,${ALICE}`, AGE_KEYS],
  [`none,${ALICE}`, CLOUD_KEYS],
  ['none,none', AGE_KEYS],
  ['none,none', CLOUD_KEYS],
  [`${NEW},none`, CLOUD_KEYS],
  [NEW, AGE_KEYS],
  [ALICE, CLOUD_KEYS],
  ['keys/*', CLOUD_KEYS],
  ['AGE-SECRET-KEY-1QQQQ', AGE_KEYS],
])('%j is none of that kind', (value, kind) => {
  const setting = parseStateKey(value);
  expect(setting !== undefined && areOfKind(setting, kind)).toBe(false);
});
