import { expect, test } from 'vitest';
import { groupsOfProcess, nspawnCommand } from './nspawn-command.ts';
import type { MachineStart } from '../machines/machine-driver.ts';

const start: MachineStart = {
  record: {
    name: 'm1',
    instanceGroup: 'nodes',
    role: 'Node',
    nodeName: 'm1.internal',
    zone: 'a',
    tags: {},
    userDataHash: '',
    layers: [],
    address: '172.30.0.10',
    machineId: '0',
    wanted: 'running',
    createdMs: 0,
  },
  paths: {
    root: '/d/m1',
    record: '/d/m1/machine.json',
    seed: '/d/m1/seed',
    upper: '/d/m1/upper',
    work: '/d/m1/work',
    mountPoint: '/d/m1/root',
    data: '/d/m1/data',
    console: '/d/m1/console.log',
  },
  layers: ['/d/m1/seed', '/images/local', '/images/base'],
  networkNamespace: '/run/netns/m1',
};
const cpu = { path: '/sys/fs/cgroup/cpu,cpuacct', version: 1, options: 'cpu,cpuacct' } as const;
const named = { path: '/sys/fs/cgroup/systemd', version: 1, options: 'none,name=systemd' } as const;
const unified = { path: '/sys/fs/cgroup/unified', version: 2, options: '' } as const;
const pure = { path: '/sys/fs/cgroup', version: 2, options: '' } as const;

/** The script without any level of quoting. */
function script(...args: Parameters<typeof nspawnCommand>): string {
  return (nspawnCommand(...args).at(-1) ?? '').replaceAll(/['\\]/g, '');
}

test('a machine is started in its own cgroups, by a keeper in other cgroups', () => {
  const text = script(start, [cpu], { machine: ['/g/m1'], keeper: ['/g/m1.keeper'] });
  const order = [
    'echo 0 > /g/m1.keeper/cgroup.procs',
    'unshare --mount --pid',
    'echo 0 > /g/m1/cgroup.procs',
    'unshare --cgroup',
    'systemd-nspawn',
  ];
  expect(order.map((part) => text.indexOf(part))).toEqual(
    order.map((part) => text.indexOf(part)).sort((a, b) => a - b),
  );
  expect(text.indexOf(order[0] ?? '')).toBeGreaterThan(-1);
});

test('every hierarchy of the host is mounted again, with links for controllers that share one', () => {
  const text = script(start, [cpu, named, unified], { machine: [], keeper: [] });
  expect(text).toContain('mount -t cgroup -o cpu,cpuacct cgroup /sys/fs/cgroup/cpu,cpuacct');
  expect(text).toContain('ln -s cpu,cpuacct /sys/fs/cgroup/cpuacct');
  expect(text).toContain('mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd');
  expect(text).toContain('mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified');
  expect(script(start, [pure], { machine: [], keeper: [] })).not.toContain('tmpfs');
});

test('the seed is above the image, and a machine only writes to its own folder', () => {
  const text = script(start, [pure], { machine: [], keeper: [] });
  expect(text).toContain('lowerdir=/d/m1/seed:/images/local:/images/base,upperdir=/d/m1/upper,workdir=/d/m1/work');
});

test('a machine cannot reach the clock, the modules and the ports of the host', () => {
  const text = script(start, [pure], { machine: [], keeper: [] });
  expect(text).toContain('--drop-capability=CAP_SYS_TIME,CAP_SYS_MODULE,CAP_SYS_RAWIO,');
});

test("a command joins the cgroups of the machine's PID 1 in every hierarchy", () => {
  const procCgroup = '3:cpu,cpuacct:/kl-c/m1\n1:name=systemd:/kl-c/m1/init.scope\n0::/kl-c/m1/init.scope\n';
  expect(groupsOfProcess(procCgroup, [cpu, named, unified])).toEqual([
    '/sys/fs/cgroup/cpu,cpuacct/kl-c/m1',
    '/sys/fs/cgroup/systemd/kl-c/m1/init.scope',
    '/sys/fs/cgroup/unified/kl-c/m1/init.scope',
  ]);
});
