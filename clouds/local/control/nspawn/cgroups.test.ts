import { expect, test } from 'vitest';
import { parseCgroupMounts } from './cgroups.ts';

const line = (path: string, type: string, options: string): string =>
  `36 35 0:32 / ${path} rw,relatime shared:9 - ${type} cgroup ${options}`;

test('version 1 hierarchies keep their controllers, and a named hierarchy has none', () => {
  const mountinfo = [
    line('/sys/fs/cgroup/cpu,cpuacct', 'cgroup', 'rw,cpu,cpuacct'),
    line('/sys/fs/cgroup/systemd', 'cgroup', 'rw,xattr,name=systemd'),
    line('/sys/fs/cgroup/unified', 'cgroup2', 'rw,nsdelegate'),
    '25 20 0:4 / /proc rw - proc proc rw',
  ];
  expect(parseCgroupMounts(mountinfo.join('\n'))).toEqual([
    { path: '/sys/fs/cgroup/cpu,cpuacct', version: 1, options: 'cpu,cpuacct' },
    { path: '/sys/fs/cgroup/systemd', version: 1, options: 'none,name=systemd' },
    { path: '/sys/fs/cgroup/unified', version: 2, options: '' },
  ]);
});

test('of a path that is mounted twice, the last mount counts', () => {
  const mountinfo = [line('/sys/fs/cgroup', 'cgroup2', 'rw'), line('/sys/fs/cgroup', 'cgroup2', 'rw,nsdelegate')];
  expect(parseCgroupMounts(mountinfo.join('\n'))).toHaveLength(1);
});
