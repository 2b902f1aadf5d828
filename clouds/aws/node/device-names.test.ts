import { expect, test } from 'vitest';
import { deviceOnMachine, freeDeviceName } from './device-names.ts';

test('a name is free when neither it nor its alias is taken', () => {
  expect(freeDeviceName(['/dev/sda1', '/dev/xvda'])).toBe('/dev/xvdu');
  expect(freeDeviceName(['/dev/xvdu', '/dev/sdv'])).toBe('/dev/xvdw');
  expect(freeDeviceName(['/dev/xvdaa', '/dev/xvdcu'])).toBe('/dev/xvdu');
});

test('no name is free when every letter is in use', () => {
  const all = 'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => `/dev/sd${letter}`);
  expect(freeDeviceName(all)).toBeUndefined();
});

test('Nitro names a volume by its id, Xen as it was attached', () => {
  const nitro = '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0123456789abcdef0';
  expect(deviceOnMachine(false, 'vol-0123456789abcdef0', '/dev/xvdu')).toBe(nitro);
  expect(deviceOnMachine(true, 'vol-0123456789abcdef0', '/dev/sdf')).toBe('/dev/xvdf');
});
