import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BootConfig, NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash } from '@kopsctl/node-plan/plan-hash.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchPlan, keepPlan } from './fetch-plan.ts';

const plan: NodePlan = {
  apiVersion: 'kopsctl.io/v1',
  kind: 'NodePlan',
  cluster: 'demo.example.com',
  instanceGroup: 'nodes',
  role: 'Node',
  kubernetesVersion: '1.30.0',
  tasks: [],
};
const bytes = serializePlan(plan);
const boot: BootConfig = {
  cloud: 'local',
  stateStore: 's3://state',
  cluster: plan.cluster,
  instanceGroup: plan.instanceGroup,
  planFolder: 'worker-plans',
  planHash: planHash(bytes),
  planThroughAuthority: { port: 3987, machineKey: '/var/lib/kops/machine.key' },
};
const noStore = () => Promise.reject(new Error('this machine has no right in the store'));
const fetchGiven = async (given: Uint8Array) =>
  fetchPlan(boot, { store: noStore, authority: async () => given }, root, new AbortController().signal);

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kops-plan-'));
});
afterEach(async () => rm(root, { recursive: true }));

test('a plan of an authority is taken without a look at the store', async () => {
  expect((await fetchGiven(bytes)).plan).toEqual(plan);
});

test('an authority cannot give another plan than the user-data pins', async () => {
  const other = serializePlan({ ...plan, tasks: [{ kind: 'File', name: 'x', props: {} }] });
  await expect(fetchGiven(other)).rejects.toThrow(/the plan of the authority: its SHA-256 is [0-9a-f]{64}/);
});

test('with a kept plan a machine boots without an authority', async () => {
  await keepPlan(root, bytes);
  const nobody = () => Promise.reject(new Error('nobody calls'));
  const sources = { store: noStore, authority: nobody };
  expect((await fetchPlan(boot, sources, root, new AbortController().signal)).plan).toEqual(plan);
});
