import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { RunningMachine } from '../machines/machine-driver.ts';
import { clusterPaths } from '../records/cluster-paths.ts';
import { Revisions } from '../supervisor/revisions.ts';
import { Volumes } from './volumes.ts';

/** A machine that has not unmounted anything: its volumes are released by its end. */
const running = { addDevice: async () => undefined } as unknown as RunningMachine;

test.skipIf(process.getuid?.() !== 0)(
  'a volume that a dying machine still uses keeps no other from being freed',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'kopsctl-volumes-'));
    try {
      const volumes = await Volumes.open({
        paths: clusterPaths(dir, 'demo.example.com'),
        revisions: new Revisions('life'),
      });
      for (const name of ['main', 'events']) {
        await volumes.create({ name, sizeGiB: 0.01, zone: 'local-a', tags: {} });
        await volumes.attach(name, { name: 'control-plane-1', address: '172.30.0.2', running });
      }
      const { stdout: devices } = await execa('losetup', ['--list', '--noheadings', '--output', 'NAME,BACK-FILE']);
      const device = devices.split('\n').find((line) => line.includes(`${dir}/`) && line.includes('/main/'));
      const user = openSync(device?.split(/\s+/)[0] ?? '', 'r');

      const released = volumes.releaseAll('control-plane-1');
      await expect
        .poll(() => volumes.remove('events').then(() => 'removed', String), { timeout: 30_000 })
        .toBe('removed');
      await expect(volumes.remove('main')).rejects.toThrow('it is being attached or detached');

      closeSync(user);
      await released;
      await volumes.remove('main');
      expect(volumes.list()).toEqual([]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
);
