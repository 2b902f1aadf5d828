import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DriftReport } from '@kopsctl/node-plan/drift-report.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { expect, test } from 'vitest';
import { StateBoard } from '../state/state-board.ts';
import { afterTest, running, until } from '../testdata/running.ts';
import { reconcileDrift } from './reconcile-drift.ts';

/** A machine whose plan names one file, and an agent that follows it. */
async function machine({ boot }: { readonly boot: 'running' | 'done' }) {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-drift-'));
  afterTest(() => rm(folder, { recursive: true, force: true }));
  const [etc, kops] = [join(folder, 'etc'), join(folder, 'kops')];
  await Promise.all([etc, kops].map((path) => mkdir(path)));
  const config = {
    plan: join(kops, 'node-plan.json'),
    bootReport: join(kops, 'boot-report.json'),
    report: join(kops, 'drift-report.json'),
    service: 'nodeup-check.service',
  };
  const file = join(etc, 'kubelet.yaml');
  const plan = serializePlan({
    apiVersion: 'kopsctl.io/v1',
    kind: 'NodePlan',
    cluster: 'demo.example.com',
    instanceGroup: 'nodes',
    role: 'Node',
    kubernetesVersion: '1.36.3',
    tasks: [{ kind: 'File', name: 'kubelet', props: { path: file, content: { text: 'a' }, mode: '0644' } }],
  });
  await writeFile(config.plan, plan);
  await writeFile(config.bootReport, JSON.stringify({ result: boot }));
  const board = new StateBoard('cloud');
  const started: string[] = [];
  const startUnit = async (unit: string): Promise<void> => void started.push(unit);
  running((log, signal) => reconcileDrift(config, { board, startUnit, log }, signal));
  return { config, board, started, file };
}

const report = (differences: DriftReport['differences']): string =>
  JSON.stringify({ checkedAt: '2030-01-01T00:00:00.000Z', planHash: 'a'.repeat(64), differences });

/** Changes files until the agent has noticed: it begins to watch at some time after its start. */
const checkedAfter = ({ started }: { readonly started: readonly string[] }, change: () => Promise<void>) =>
  until(
    async () => {
      await change();
      return started.length > 0;
    },
    () => 'a check was started',
  );

test('a change of a file that the plan names starts a check', async () => {
  const watched = await machine({ boot: 'done' });
  await checkedAfter(watched, () => writeFile(watched.file, 'changed by hand'));
  expect(watched.started).toEqual(['nodeup-check.service']);
});

test('what a check finds is told, shortened', async () => {
  const { config, board } = await machine({ boot: 'done' });
  const difference = { task: 'File/kubelet', what: 'write '.repeat(100), outcome: 'reported' } as const;
  await writeFile(config.report, report(Array.from({ length: 12 }, () => difference)));
  await until(
    () => board.state.drift !== undefined,
    () => 'the drift was told',
  );
  expect(board.state.drift).toMatchObject({ more: 2, differences: { length: 10 } });
  expect(JSON.stringify(board.state.drift).length).toBeLessThan(4096);
});

test('nothing is checked while nodeup carries the plan out', async () => {
  const booting = await machine({ boot: 'running' });
  await writeFile(booting.file, 'written by nodeup');
  await writeFile(booting.config.report, report([]));
  await writeFile(booting.config.bootReport, JSON.stringify({ result: 'done' }));
  await until(
    () => booting.board.state.drift !== undefined,
    () => 'it begins after the boot',
  );
  expect(booting.started).toEqual([]);
});
