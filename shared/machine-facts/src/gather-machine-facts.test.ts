import { expect, test } from 'vitest';
import { gatherMachineFacts, type SystemInformation } from './gather-machine-facts.ts';

/** Answers only what a test asks about, with the fields that are read. */
function information(answers: Readonly<Record<string, () => unknown>>): SystemInformation {
  const ask = (name: string) => async () => {
    const answer = answers[name];
    if (answer === undefined) throw new Error(`${name} failed`);
    return answer();
  };
  const calls = ['cpu', 'mem', 'blockDevices', 'system', 'osInfo', 'networkInterfaces'];
  // The answers of a test are parts of what systeminformation gives.
  return Object.fromEntries(calls.map((name) => [name, ask(name)])) as unknown as SystemInformation;
}

test('a fact that cannot be found out is absent, and the others are there', async () => {
  const found = await gatherMachineFacts(
    ['processors', 'memory'],
    information({ mem: () => ({ total: 1024, swaptotal: 0 }) }),
  );
  expect(found).toEqual({ memory: { totalBytes: 1024, swapBytes: 0 } });
});

test('partitions, empty devices, the loopback and interfaces without an address are left out', async () => {
  const device = { name: 'vda', type: 'disk', size: 10, physical: 'SSD', model: 'm' };
  const eth0 = { ifaceName: 'eth0', internal: false, ip4: '10.0.0.1', ip6: '', mac: 'm', mtu: 1500, speed: null };
  const found = await gatherMachineFacts(
    ['disks', 'network'],
    information({
      blockDevices: () => [device, { ...device, name: 'vda1', type: 'part' }, { ...device, name: 'zram0', size: 0 }],
      networkInterfaces: () => [
        { ...eth0, ifaceName: 'lo', internal: true },
        eth0,
        { ...eth0, ifaceName: 'veth1', ip4: '' },
      ],
    }),
  );
  expect(found).toEqual({
    disks: [{ name: 'vda', bytes: 10, kind: 'SSD', model: 'm' }],
    network: [{ name: 'eth0', addresses: ['10.0.0.1'], mac: 'm', mtu: 1500 }],
  });
});

test('a model that begins with its manufacturer does not repeat it', async () => {
  const cpu = { manufacturer: 'Intel', brand: 'Intel Xeon', cores: 8, physicalCores: 4 };
  const { processors } = await gatherMachineFacts(['processors'], information({ cpu: () => cpu }));
  expect(processors).toEqual({ model: 'Intel Xeon', architecture: process.arch, count: 8, physicalCores: 4 });
});
