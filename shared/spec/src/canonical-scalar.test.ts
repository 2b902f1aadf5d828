import { expect, test } from 'vitest';
import { canonicalDuration, canonicalQuantity } from './canonical-scalar.ts';

test.each([
  ['60s', '1m0s'],
  ['1h', '1h0m0s'],
  ['48h20m', '48h20m0s'],
  ['90m', '1h30m0s'],
  ['1.5s', '1.5s'],
  ['61.25s', '1m1.25s'],
  ['.5h', '30m0s'],
  ['1500ms', '1.5s'],
  ['5ms', '5ms'],
  ['1500us', '1.5ms'],
  ['3μs', '3µs'],
  ['7ns', '7ns'],
  ['0', '0s'],
  ['-0s', '0s'],
  ['-5m', '-5m0s'],
  ['+5m', '5m0s'],
  ['soon', 'soon'],
])('the duration %s is %s', (text, canonical) => {
  expect(canonicalDuration(text)).toBe(canonical);
  expect(canonicalDuration(canonical)).toBe(canonical);
});

// What kops 1.36.2 prints for 18 of these; it leaves 5. and +3 as they are.
test.each([
  ['0.5', '500m'],
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['1500', '1500'],
  ['1000', '1k'],
  ['20000', '20k'],
  ['.25', '250m'],
  ['5.', '5'],
  ['+3', '3'],
  ['-0.5', '-500m'],
  ['0', '0'],
  ['0Gi', '0'],
  ['100M', '100M'],
  ['0.1G', '100M'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['1000Ki', '1000Ki'],
  ['0.5Ki', '512'],
  ['0.1Gi', '107374182400m'],
  ['2e3', '2e3'],
  ['20E2', '2e3'],
  ['1e1', '10'],
  ['500u', '500u'],
  ['many', 'many'],
])('the quantity %s is %s', (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical);
  expect(canonicalQuantity(canonical)).toBe(canonical);
});
