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

  test('quotes the proxy for the shell, and for the files of systemd and apt', () => {
    const proxy = { http_proxy: "http://it's", no_proxy: String.raw`a"b\c,100%,$d` };
    const script = bootstrapScript({
      agents: { urls: ['http://m/a'], sha256: 'a'.repeat(64) },
      bootConfig: BOOT_CONFIG,
      proxy,
    });
    const lines = script.split('\n');
    expect(lines).toContain(String.raw`export no_proxy='a"b\c,100%,$d'`);
    expect(lines).toContain(String.raw`DefaultEnvironment="no_proxy=a\"b\\c,100%%,$d"`);
    expect(script).toContain(String.raw`echo 'Acquire::http::Proxy "http://it'\''s";' >`);
  });

  test('requires a mirror', () => {
    expect(() => bootstrapScript({ agents: { urls: [], sha256: 'a' }, bootConfig: BOOT_CONFIG })).toThrow(/URL/);
  });
});
