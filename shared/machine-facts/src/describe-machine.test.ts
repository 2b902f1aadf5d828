import { expect, test } from 'vitest';
import { describeMachine } from './describe-machine.ts';

test('a machine is described in a few words', () => {
  expect(
    describeMachine({
      processors: { model: 'AMD EPYC', architecture: 'x64', count: 2, physicalCores: 1 },
      memory: { totalBytes: 23.54 * 2 ** 30, swapBytes: 0 },
      disks: [
        { name: 'vda', bytes: 200 * 2 ** 30, kind: 'SSD', model: '' },
        { name: 'vdb', bytes: 56 * 2 ** 30, kind: 'SSD', model: '' },
      ],
      virtualization: { hypervisor: 'KVM', container: 'systemd-nspawn', product: '' },
      operatingSystem: { name: 'Debian GNU/Linux', version: '12', kernel: '6.1.0' },
      network: [
        { name: 'eth0', addresses: ['10.0.0.4', 'fd00::4'], mac: '', mtu: 1500, megabitsPerSecond: 10_000 },
        { name: 'eth1', addresses: ['10.1.0.4'], mac: '', mtu: 1500 },
      ],
    }),
  ).toEqual({
    processors: '2 x AMD EPYC',
    memory: '23.5 GiB',
    disks: '256 GiB in 2',
    operatingSystem: 'Debian GNU/Linux 12',
    kernel: '6.1.0',
    virtualization: 'KVM, systemd-nspawn',
    network: 'eth0 IPv4+IPv6 10 Gbit/s, eth1 IPv4',
  });
});

test('a machine of which nothing is known is described by dashes', () => {
  expect(new Set(Object.values(describeMachine(undefined)))).toEqual(new Set(['-']));
});

test('hardware without a hypervisor has no virtualization', () => {
  const virtualization = { hypervisor: '', container: '', product: 'Dell' };
  expect(describeMachine({ virtualization }).virtualization).toBe('none');
});

test.each([
  [100, 'eth0 IPv4 100 Mbit/s'],
  [2500, 'eth0 IPv4 2.5 Gbit/s'],
  [undefined, 'eth0 IPv4'],
])('an interface of %s megabits per second is described with its speed, where it has one', (speed, described) => {
  const address = { name: 'eth0', addresses: ['10.0.0.4'], mac: '', mtu: 1500 };
  const network = [{ ...address, ...(speed === undefined ? {} : { megabitsPerSecond: speed }) }];
  expect(describeMachine({ network }).network).toBe(described);
});

test('a machine without an interface that has an address is described as having none', () => {
  expect(describeMachine({ network: [] }).network).toBe('none');
});
