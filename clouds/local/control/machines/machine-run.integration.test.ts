import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { machinePaths, clusterPaths } from '../records/cluster-paths.ts';
import type { MachineRecord } from '../records/records.ts';
import { MachineRun } from './machine-run.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kopsctl-machine-run-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('A machine whose console cannot be opened fails alone: who starts it is told, and what it held is freed', async () => {
  const said: string[] = [];
  let released = 0;
  const record: MachineRecord = {
    name: 'cp-1',
    role: 'ControlPlane',
    instanceGroup: 'group',
    nodeName: 'cp-1.internal',
    zone: 'a',
    tags: {},
    userDataHash: '',
    layers: [],
    address: '172.30.0.10',
    machineId: '',
    wanted: 'running',
    createdMs: 0,
  };
  // Its folder is not there.
  const paths = machinePaths(clusterPaths(dir, 'demo.example.com'), record.name);
  const run = new MachineRun(
    { record, paths, layers: [], networkNamespace: '' },
    {
      driver: {
        start: () => Promise.reject(new Error('it must not be started')),
        release: () => Promise.resolve(),
      },
      onStarted: () => Promise.resolve(),
      onChange: () => undefined,
      releases: [
        () => {
          released += 1;
          return Promise.resolve();
        },
      ],
      log: makeLog((line) => said.push(line), false, 'supervisor'),
    },
  );
  await expect(run.up).rejects.toThrow(`ENOENT: no such file or directory, open '${paths.console}'`);
  await run.down;
  expect(run.state).toBe('stopped');
  expect(released).toBe(1);
  expect(said).toEqual([expect.stringMatching(/^supervisor machine cp-1: cannot run error="ENOENT/)]);
});
