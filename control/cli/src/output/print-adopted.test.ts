import type { AdoptedCluster } from '@kopsctl/actions/adopt-cluster.ts';
import { expect, test } from 'vitest';
import { printed } from '../testing/printed.ts';
import { printAdopted } from './print-adopted.ts';

const STOPPED: AdoptedCluster = {
  cluster: 'demo.example.com',
  kopsVersion: '1.36.0',
  changes: [
    {
      place: 'cloud',
      object: 'aws/LaunchTemplate/nodes',
      change: 'change',
      fields: [],
      why: 'it differs',
      isPending: false,
    },
  ],
  kept: [],
  result: { mode: 'apply', tasks: [], deletions: [], changed: 0, failed: 0, cancelled: true },
};
const STATE = { stateFlag: 's3://state', verbosity: 0 };

test('A takeover that was stopped or failed is told as such, with the command that goes on', async () => {
  const stopped = await printed(() => printAdopted(STATE, STOPPED, 'text'));
  expect(stopped.code).toBe(1);
  expect(stopped.stdout).toContain('What changes in the cloud:');
  expect(stopped.stderr).toContain('Error: stopped before all changes were made\n');
  expect(stopped.stderr).toContain('`kopsctl adopt demo.example.com --yes --state s3://state`');
  const failed = { ...STOPPED, result: { ...STOPPED.result, failed: 1, cancelled: false } };
  const told = await printed(() => printAdopted(STATE, failed, 'text'));
  expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('Error: not all changes were made\n') });
});

test('Changes that could not be determined are none that were made', async () => {
  const failed = { ...STOPPED, result: { ...STOPPED.result, mode: 'plan', failed: 1, cancelled: false } } as const;
  const told = await printed(() => printAdopted(STATE, failed, 'text'));
  expect(told.stdout).toContain('What changes in the cloud:');
  expect(told).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Error: not all changes could be determined\n'),
  });
});
