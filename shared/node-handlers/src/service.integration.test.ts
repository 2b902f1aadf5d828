import { chmod, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NodeEnv } from './node-env.ts';
import { serviceHandler } from './service.ts';
import { temporaryHost, type TemporaryHost } from './testing/temporary-host.ts';

const { signal } = new AbortController();
const HOUR_MS = 3_600_000;
let host: TemporaryHost;
beforeEach(async () => {
  host = await temporaryHost();
  const programs = join(host.root, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'systemctl'), `#!/bin/sh\nexec echo "$@" >> ${join(host.root, 'asked')}\n`);
  await chmod(join(programs, 'systemctl'), 0o755);
  vi.stubEnv('PATH', `${programs}:${process.env['PATH'] ?? ''}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await host.remove();
});

test.each(['start', 'restart'] as const)(
  'a %s leaves no watched file newer than the unit, so it is not restarted again: a clock that was ahead wrote some',
  async (action) => {
    const nowMs = Date.now();
    const [old, ahead] = [join(host.root, 'old'), join(host.root, 'ahead')];
    await writeFile(old, '');
    await writeFile(ahead, '');
    await utimes(old, (nowMs - HOUR_MS) / 1000, (nowMs - HOUR_MS) / 1000);
    await utimes(ahead, (nowMs + HOUR_MS) / 1000, (nowMs + HOUR_MS) / 1000);
    const props = { unit: 'demo.service', enabled: true, running: true, restartOnPaths: ['/old', '/ahead', '/none'] };
    // Of its environment the handler uses these two here.
    const env = { root: host.root, nowMs: () => nowMs } as NodeEnv;
    await serviceHandler.apply({ action, summary: '' }, 'demo', props, env, signal);
    expect((await stat(ahead)).mtimeMs).toBeCloseTo(nowMs, -1);
    expect((await stat(old)).mtimeMs).toBeCloseTo(nowMs - HOUR_MS, -1);
    expect(await readFile(join(host.root, 'asked'), 'utf8')).toBe(`${action} demo.service\n`);
  },
);
