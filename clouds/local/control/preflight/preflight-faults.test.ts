import { expect, test } from 'vitest';
import { type HostFacts, type Needs, preflightFaults } from './preflight-faults.ts';

const GIB = 2 ** 30;
const good: HostFacts = {
  platform: 'linux',
  isRoot: true,
  missingPrograms: [],
  brokenFeatures: {},
  cgroups: [{ path: '/sys/fs/cgroup', version: 2, options: '' }],
  inotify: { limit: 128, machines: new Map(), others: 20, canRaise: false },
  memoryBytes: 8 * GIB,
  disks: [{ folder: '/var/lib/kopsctl/local', freeBytes: 50 * GIB, isOverlay: false }],
};
const needs: Needs = {
  machines: new Map([
    ['control-plane-1', 'ControlPlane'],
    ['nodes-1', 'Node'],
  ]),
  packages: true,
};

test('a host that has everything has no faults', () => {
  expect(preflightFaults(good, needs)).toEqual([]);
});

test('on an unsupported system no other faults are reported', () => {
  expect(preflightFaults({ ...good, platform: 'darwin' }, needs)).toEqual([expect.stringContaining('need Linux')]);
  expect(preflightFaults({ ...good, isRoot: false }, needs)).toEqual([expect.stringContaining('need root')]);
});

test('all faults are reported together, each with what to do', () => {
  const faults = preflightFaults(
    {
      ...good,
      missingPrograms: ['systemd-nspawn', 'bridge'],
      brokenFeatures: { 'loop devices': 'Permission denied' },
      cgroups: [],
      inotify: { ...good.inotify, limit: 64 },
      memoryBytes: 2 * GIB,
      disks: [{ folder: '/var/lib', freeBytes: GIB, isOverlay: true }],
    },
    needs,
  );
  expect(faults).toHaveLength(7);
  expect(faults[0]).toContain('run apt-get install systemd-container iproute2');
  expect(faults[1]).toContain('the kernel does not provide loop devices (Permission denied)');
  expect(faults[3]).toContain('sysctl fs.inotify.max_user_instances=1024');
});

test('inotify instances in use count, and a limit that can be raised is not a fault', () => {
  const busy = { ...good.inotify, others: 100 };
  expect(preflightFaults({ ...good, inotify: busy }, needs)).toEqual([
    '2 machines and the host need 161 inotify instances, but the host allows 128: ' +
      'run sysctl fs.inotify.max_user_instances=1024 on the host',
  ]);
  expect(preflightFaults({ ...good, inotify: { ...busy, canRaise: true } }, needs)).toEqual([]);
});

test('a memory whose size is unknown is a fault', () => {
  expect(preflightFaults({ ...good, memoryBytes: undefined }, needs)).toEqual([
    expect.stringContaining('/proc/meminfo'),
  ]);
});

test('missing packages are not a fault if they will be installed', () => {
  expect(preflightFaults({ ...good, missingPrograms: ['mmdebstrap'] }, { ...needs, packages: false })).toEqual([]);
});

test('a host with cgroup version 1 must have the hierarchy of systemd', () => {
  const cgroups = ['cpu', 'cpuset', 'memory', 'pids', 'devices'].map((options) => ({
    path: `/sys/fs/cgroup/${options}`,
    version: 1 as const,
    options,
  }));
  expect(preflightFaults({ ...good, cgroups }, needs)).toEqual([expect.stringContaining('not mounted: name=systemd')]);
});
