import { expect, test } from 'vitest';
import { backupIntervalMs, cronOf } from './plan-schedule.ts';

test.each([
  [undefined, '*/15 * * * *'],
  ['15m0s', '*/15 * * * *'],
  ['1h', '0 */1 * * *'],
  ['90m', '0 */1 * * *'],
  ['5h', '0 */4 * * *'],
  ['23h', '0 */12 * * *'],
  ['24h', '0 0 * * *'],
  ['168h', '0 0 * * *'],
  ['25m', '*/20 * * * *'],
  ['45m', '*/30 * * * *'],
  ['10s', '*/1 * * * *'],
  ['soon', '*/15 * * * *'],
  ['0s', '*/15 * * * *'],
])('an interval of %s becomes the schedule %s', (value, cron) => {
  const env = value === undefined ? [] : [{ name: 'ETCD_MANAGER_BACKUP_INTERVAL', value }];
  expect(cronOf(backupIntervalMs(env))).toBe(cron);
});
