import { expect, test } from 'vitest';
import { corruptionChecks } from './corruption-checks.ts';

const INITIAL = { ETCD_EXPERIMENTAL_INITIAL_CORRUPT_CHECK: 'true' };
const LATEST = { ETCD_EXPERIMENTAL_CORRUPT_CHECK_TIME: '12h' };
const COMPACTED = { ETCD_EXPERIMENTAL_COMPACT_HASH_CHECK_ENABLED: 'true' };
const GATES = { ETCD_FEATURE_GATES: 'CompactHashCheck=true,InitialCorruptCheck=true' };

test.each([
  ['3.3.25', {}, INITIAL],
  // Hashes of equal data may differ, and the alarm would stop everything.
  ['3.4.23', {}, INITIAL],
  ['3.4.34', LATEST, INITIAL],
  ['3.5.15', {}, INITIAL],
  ['3.5.16', { ...LATEST, ...COMPACTED }, INITIAL],
  ['3.5.35', { ...LATEST, ...COMPACTED }, INITIAL],
  ['3.6.16', { ETCD_CORRUPT_CHECK_TIME: '12h' }, GATES],
  ['3.7.3', { ETCD_CORRUPT_CHECK_TIME: '12h' }, GATES],
])('etcd %s compares the data of its members as far as it can be trusted to', (version, lasting, initial) => {
  expect(corruptionChecks(version, {}, true)).toEqual({ lasting, initial });
});

test.each(['3.3.25', '3.4.34', '3.5.16', '3.6.16'])('etcd %s compares nothing before it has served once', (version) => {
  const { lasting, initial } = corruptionChecks(version, {}, false);
  expect(JSON.stringify(initial)).not.toContain('INITIAL');
  expect(JSON.stringify(initial)).not.toContain('Initial');
  // Otherwise etcd would be restarted once it has served.
  expect(lasting).toEqual(corruptionChecks(version, {}, true).lasting);
});

test('what the spec sets counts', () => {
  const off = { ETCD_EXPERIMENTAL_INITIAL_CORRUPT_CHECK: 'false' };
  expect(corruptionChecks('3.5.16', off, true).initial).toEqual({});
  // etcd 3.6 refuses to start with both forms of one feature.
  expect(corruptionChecks('3.6.16', off, true).initial).toEqual({ ETCD_FEATURE_GATES: 'CompactHashCheck=true' });
  const often = { ETCD_EXPERIMENTAL_CORRUPT_CHECK_TIME: '1m' };
  expect(corruptionChecks('3.6.16', often, true).lasting).toEqual({});
  const gates = { ETCD_FEATURE_GATES: 'CompactHashCheck=false,StopGRPCServiceOnDefrag=true' };
  expect(corruptionChecks('3.7.3', gates, false).initial).toEqual({
    ETCD_FEATURE_GATES: 'CompactHashCheck=true,CompactHashCheck=false,StopGRPCServiceOnDefrag=true',
  });
});
