import { cpus, release, totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { gatherMachineFacts } from './gather-machine-facts.ts';

test('the facts of this machine are those that Node.js knows', async () => {
  const { processors, memory, disks, virtualization, operatingSystem, network } = await gatherMachineFacts();
  expect(processors?.count).toBe(cpus().length);
  expect(memory?.totalBytes).toBe(totalmem());
  expect(operatingSystem?.kernel).toBe(release());
  expect(operatingSystem?.name).toMatch(/\w/);
  expect(virtualization).toBeDefined();
  expect(disks).toBeDefined();
  expect(network?.flatMap(({ addresses }) => addresses)).not.toContain('127.0.0.1');
});
