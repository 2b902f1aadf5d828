import { expect, test } from 'vitest';
import { type Enrolment, nodeOfEnrolmentPath, parseEnrolment, printEnrolment } from './enrolment.ts';
import { certificatesEndMs, permitNewKey, revoke } from './revocation.ts';

const NOW_MS = Date.parse('2026-01-02T12:00:00Z');
const HOUR_MS = 60 * 60_000;
const enrolment: Enrolment = {
  node: 'nodes-1',
  instanceId: 'i-1',
  launchedMs: NOW_MS - HOUR_MS,
  instanceGroup: 'nodes',
  machineKey: 'first',
  address: '10.0.0.11',
  enrolledAt: '2026-01-02T11:01:00Z',
};

test('a revocation has a time and a reason, takes back a permission, and is read as it was written', () => {
  const revoked = revoke({ ...enrolment, permitsNewKey: true }, NOW_MS, 'stolen');
  expect(revoked).toEqual({ ...enrolment, revokedAt: '2026-01-02T12:00:00.000Z', revokedReason: 'stolen' });
  expect(parseEnrolment(printEnrolment(revoked))).toEqual(revoked);
});

test('a second revocation leaves the first as it is', () => {
  const first = revoke(enrolment, NOW_MS, 'stolen');
  expect(revoke(first, NOW_MS + HOUR_MS, 'lost')).toBe(first);
});

test('permitting another key takes a revocation back, and leaves all else', () => {
  expect(permitNewKey(revoke(enrolment, NOW_MS, 'stolen'))).toEqual({ ...enrolment, permitsNewKey: true });
});

test('certificates of a revoked machine end after their life and an hour', () => {
  expect(certificatesEndMs(enrolment)).toBeUndefined();
  expect(certificatesEndMs(revoke(enrolment, NOW_MS, undefined))).toBe(NOW_MS + 73 * HOUR_MS);
});

test('a mark whose time is none is refused, and does not end at once', () => {
  const text = printEnrolment({ ...enrolment, revokedAt: 'yesterday' });
  expect(() => parseEnrolment(text)).toThrow('revokedAt');
});

test.each([
  ['demo/nodes/nodes-1/enrolment.json', 'nodes-1'],
  ['demo/nodes/nodes-1/boot-report.json', undefined],
  ['demo/nodes/nodes-1/enrolment.json/x', undefined],
  ['demo/nodes/enrolment.json', undefined],
  ['other/nodes/nodes-1/enrolment.json', undefined],
])('of %s the node is %s', (path, node) => {
  expect(nodeOfEnrolmentPath('demo', path)).toBe(node);
});
