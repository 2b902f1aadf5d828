import { expect, test } from 'vitest';
import { parseDiskHistograms, planDisk } from './plan-disk.ts';

function metrics(fast: number, slow: number): string {
  const name = 'etcd_disk_wal_fsync_duration_seconds';
  return [
    `${name}_bucket{le="0.008"} ${fast}`,
    `${name}_bucket{le="0.016"} ${fast}`,
    `${name}_bucket{le="0.064"} ${fast + slow}`,
    `${name}_bucket{le="+Inf"} ${fast + slow}`,
    '',
  ].join('\n');
}
const between = (before: string, after: string) => planDisk(parseDiskHistograms(before), parseDiskHistograms(after));

test('a disk that is fast now causes no warning, even if it was slow before', () => {
  expect(between(metrics(0, 500), metrics(1000, 505))).toEqual([]);
});

test('a disk that is slow more than once in a hundred writes causes a warning', () => {
  expect(between(metrics(0, 0), metrics(900, 100))).toEqual([
    'one flush of the log in a hundred takes up to 64 ms, and etcd needs at most 10 ms: use a faster volume',
  ]);
});

test('a handful of writes proves nothing', () => {
  expect(between(metrics(0, 0), metrics(1, 40))).toEqual([]);
});
