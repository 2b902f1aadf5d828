import { mkdir, mkdtemp, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressPool } from '../network/address-pool.ts';
import { clusterPaths, machinePaths } from '../records/cluster-paths.ts';
import { writeJsonFile } from '../records/json-file.ts';
import { type MachineRecord, machineRecordSchema } from '../records/records.ts';
import { Revisions } from '../supervisor/revisions.ts';
import { Machines } from './machines.ts';
import { hashUserData } from './seed.ts';

const RECORD: MachineRecord = {
  name: 'nodes-1',
  role: 'Node',
  instanceGroup: 'nodes',
  nodeName: 'nodes-1.internal',
  zone: 'a',
  tags: {},
  userDataHash: hashUserData('old'),
  layers: [],
  address: '172.30.0.10',
  machineId: '',
  wanted: 'stopped',
  createdMs: 0,
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kopsctl-machines-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('A change of a record that could not be written is not taken for made', async () => {
  const paths = clusterPaths(dir, 'demo.example.com');
  const { record } = machinePaths(paths, RECORD.name);
  await writeJsonFile(record, RECORD);
  const unused = () => Promise.reject(new Error('no machine runs'));
  const machines = await Machines.open({
    paths,
    pool: addressPool('172.30.0.0/24'),
    layers: () => [],
    assetsDir: () => undefined,
    driver: { start: unused, release: unused },
    revisions: new Revisions('life'),
    log: makeLog(() => undefined, false, 'supervisor'),
    onStarted: unused,
    onDown: unused,
  });

  // A folder in its place cannot be replaced by a file.
  await rm(record);
  await mkdir(record);
  await expect(machines.renew(RECORD.name, 'new')).rejects.toThrow('EISDIR');
  expect(machines.list()).toMatchObject([{ userDataHash: hashUserData('old') }]);

  await rmdir(record);
  await machines.renew(RECORD.name, 'new');
  const stored = machineRecordSchema.parse(JSON.parse(await readFile(record, 'utf8')));
  expect(stored.userDataHash).toBe(hashUserData('new'));
});
