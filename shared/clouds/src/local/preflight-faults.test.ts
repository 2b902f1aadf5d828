import { expect, test } from 'vitest';
import { type HostFacts, preflightFaults } from './preflight-faults.ts';

const GIB = 2 ** 30;
const good: HostFacts = {
  platform: 'linux',
  isRoot: true,
  missingPrograms: [],
  brokenFeatures: {},
  cgroups: [{ path: '/sys/fs/cgroup', version: 2, options: '' }],
  inotifyInstances: 128,
  memoryBytes: 8 * GIB,
  disks: [{ folder: '/var/lib/kopsctl/local', freeBytes: 50 * GIB, isOverlay: false }],
};
const needs = { machines: 4, packages: true };

test('a host that has everything is not faulted', () => {
  expect(preflightFaults(good, needs)).toEqual([]);
});

test('nothing else is looked at where nothing else can be known', () => {
  expect(preflightFaults({ ...good, platform: 'darwin' }, needs)).toEqual([expect.stringContaining('need Linux')]);
  expect(preflightFaults({ ...good, isRoot: false }, needs)).toEqual([expect.stringContaining('need root')]);
});

test('all faults are named at once, each with what to do', () => {
  const faults = preflightFaults(
    {
      ...good,
      missingPrograms: ['systemd-nspawn', 'bridge'],
      brokenFeatures: { 'loop devices': 'Permission denied' },
      cgroups: [],
      inotifyInstances: 64,
      memoryBytes: 2 * GIB,
      disks: [{ folder: '/var/lib', freeBytes: GIB, isOverlay: true }],
    },
    needs,
  );
  expect(faults).toHaveLength(7);
  expect(faults[0]).toContain('run apt-get install systemd-container iproute2');
  expect(faults[1]).toContain('the kernel gives no loop devices (Permission denied)');
  expect(faults[3]).toContain('sysctl fs.inotify.max_user_instances=512');
});

test('missing packages are no fault where they will be installed', () => {
  expect(preflightFaults({ ...good, missingPrograms: ['mmdebstrap'] }, { machines: 4, packages: false })).toEqual([]);
});

test('a version 1 host must have the hierarchy of systemd', () => {
  const cgroups = ['cpu', 'cpuset', 'memory', 'pids', 'devices'].map((options) => ({
    path: `/sys/fs/cgroup/${options}`,
    version: 1 as const,
    options,
  }));
  expect(preflightFaults({ ...good, cgroups }, needs)).toEqual([expect.stringContaining('not mounted: name=systemd')]);
});
