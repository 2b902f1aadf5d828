import { expect, test } from 'vitest';
import { logDetail } from './log-detail.ts';

test.each([
  ['7', 'verbose'],
  ['6', undefined],
  ['much', undefined],
])('at level %s the detail is %s', (value, detail) => {
  expect(logDetail({ env: [{ name: 'ETCD_MANAGER_LOG_LEVEL', value }] })).toBe(detail);
});
