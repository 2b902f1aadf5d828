import { expect, test } from 'vitest';
import { gceCompleted } from './testdata/gce-tasks.ts';

test.each([
  ['the default of other networks gives way to what the network routes', {}, '10.0.0.0/8'],
  ['a range that has both is kept', { nonMasqueradeCIDR: '10.0.0.0/7' }, '10.0.0.0/7'],
  [
    'ranges of a person beyond the private range are left to their range',
    { nonMasqueradeCIDR: '192.168.0.0/16', podCIDR: '192.168.0.0/17', serviceClusterIPRange: '192.168.128.0/17' },
    '192.168.0.0/16',
  ],
])('with pods in the subnet, %s', (_what, spec, expected) => {
  const { cluster } = gceCompleted({
    spec: { networking: { kindnet: {} }, nonMasqueradeCIDR: '100.64.0.0/10', ...spec },
  });
  expect(cluster.spec.nonMasqueradeCIDR).toBe(expected);
});

test('with pods behind their machines, the range is left as it is', () => {
  const { cluster } = gceCompleted({ spec: { nonMasqueradeCIDR: '100.64.0.0/10' } });
  expect(cluster.spec.nonMasqueradeCIDR).toBe('100.64.0.0/10');
});
