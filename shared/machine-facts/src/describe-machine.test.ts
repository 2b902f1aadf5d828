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
    }),
  ).toEqual({
    processors: '2 x AMD EPYC',
    memory: '23.5 GiB',
    disks: '256 GiB in 2',
    operatingSystem: 'Debian GNU/Linux 12',
    kernel: '6.1.0',
    virtualization: 'KVM, systemd-nspawn',
  });
});

test('a machine of which nothing is known is described by dashes', () => {
  expect(new Set(Object.values(describeMachine(undefined)))).toEqual(new Set(['-']));
});

test('hardware without a hypervisor has no virtualization', () => {
  const virtualization = { hypervisor: '', container: '', product: 'Dell' };
  expect(describeMachine({ virtualization }).virtualization).toBe('none');
});
