import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { interfaceWithAddress } from './interface-with-address.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interfaces-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function add(name: string, address: string, { isDevice = true } = {}): Promise<void> {
  await mkdir(join(folder, name, ...(isDevice ? ['device'] : [])), { recursive: true });
  await writeFile(join(folder, name, 'address'), `${address}\n`);
}

test('the first interface of a machine is the device with the address that the metadata service names', async () => {
  await add('lo', '00:00:00:00:00:00', { isDevice: false });
  await add('ens5', '02:00:00:00:00:0a');
  await add('ens6', '02:00:00:00:00:0b');
  await add('bridge0', '02:00:00:00:00:0a', { isDevice: false });
  await writeFile(join(folder, 'bonding_masters'), '');
  expect(await interfaceWithAddress('02:00:00:00:00:0A', folder)).toBe('ens5');
});

test('it is not guessed', async () => {
  await add('ens5', '02:00:00:00:00:0a');
  await expect(interfaceWithAddress('02:00:00:00:00:0c', folder)).rejects.toThrow('no interface has the address');
  await add('ens6', '02:00:00:00:00:0a');
  await expect(interfaceWithAddress('02:00:00:00:00:0a', folder)).rejects.toThrow('ens5 and ens6 have the address');
});
