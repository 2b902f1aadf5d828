import { describe, expect, test } from 'vitest';

import type { BootConfig } from '@kopsctl/node-plan/node-plan.ts';
import { bootstrapScript } from './bootstrap-script.ts';

const BOOT_CONFIG: BootConfig = {
  cloud: 'local',
  stateStore: 'http://169.254.169.254/store',
  cluster: 'demo.example.com',
  instanceGroup: 'nodes',
  planFolder: 'node-plans',
  planHash: 'c'.repeat(64),
};

describe('the bootstrap script', () => {
  test('needs at most half of the smallest user-data limit of a cloud, 16 KB', () => {
    const urls = Array.from({ length: 5 }, (_, at) => `https://mirror-${String(at)}.example.com/${'x'.repeat(200)}`);
    const script = bootstrapScript({ agents: { urls, sha256: 'a'.repeat(64) }, bootConfig: BOOT_CONFIG });
    expect(script.length).toBeLessThan(8 * 1024);
  });

  test('quotes its inputs', () => {
    const script = bootstrapScript({
      agents: { urls: ["http://m/a'; reboot; '"], sha256: 'a'.repeat(64) },
      bootConfig: BOOT_CONFIG,
    });
    expect(script).toContain(String.raw`'http://m/a'\''; reboot; '\'''`);
  });

  test('requires a mirror', () => {
    expect(() => bootstrapScript({ agents: { urls: [], sha256: 'a' }, bootConfig: BOOT_CONFIG })).toThrow(/URL/);
  });
});
