import { anything, assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import type { MachineFacts } from './machine-facts.ts';
import { parseMachineFacts } from './parse-machine-facts.ts';

const FACTS: MachineFacts = {
  processors: { model: 'AMD EPYC', architecture: 'x64', count: 2, physicalCores: 1 },
  memory: { totalBytes: 4 * 2 ** 30, swapBytes: 0 },
  disks: [{ name: 'vda', bytes: 2 ** 35, kind: 'SSD', model: '' }],
  virtualization: { hypervisor: 'KVM', container: '', product: 'QEMU Standard PC' },
  operatingSystem: { name: 'Debian GNU/Linux', version: '12', kernel: '6.1.0' },
  network: [{ name: 'eth0', addresses: ['10.0.0.1', 'fe80::1'], mac: '02:00:00:00:00:01', mtu: 1500 }],
};

test('facts are read as they were written', () => {
  expect(parseMachineFacts(JSON.parse(JSON.stringify(FACTS)))).toEqual(FACTS);
});

test('facts that are missing stay absent', () => {
  expect(parseMachineFacts({})).toEqual({});
  expect(parseMachineFacts({ memory: FACTS.memory })).toEqual({ memory: FACTS.memory });
});

test('long lists and texts are cut, control characters are removed', () => {
  const disks = Array.from({ length: 1000 }, () => ({ name: 'x'.repeat(5000), bytes: -1, kind: 'tape' }));
  const { disks: read, operatingSystem } = parseMachineFacts({
    disks,
    operatingSystem: { name: '\u001b[2JDebian\n', version: 12 },
  });
  expect(read).toHaveLength(32);
  expect(read?.[0]).toEqual({ name: 'x'.repeat(100), bytes: 0, kind: '', model: '' });
  expect(operatingSystem).toEqual({ name: '[2JDebian', version: '', kernel: '' });
});

test('whatever is given, a small record comes out', () => {
  assert(
    property(anything({ maxDepth: 4 }), (value) => {
      expect(JSON.stringify(parseMachineFacts(value)).length).toBeLessThan(50_000);
    }),
  );
});
