import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { expect, test } from 'vitest';
import type { ReadBootReport } from '../follow/read-boot-report.ts';
import { machineTimeline } from './machine-timeline.ts';

const task = (name: string, at: number, durationMs: number): ReadBootReport['tasks'][number] => ({
  task: name,
  startedAt: new Date(at).toISOString(),
  durationMs,
  result: 'changed',
});

const REPORT: ReadBootReport = {
  startedAt: new Date(1000).toISOString(),
  finishedAt: new Date(1900).toISOString(),
  result: 'done',
  tasks: [task('Package/slow', 1000, 500), task('Package/quick', 1000, 20), task('File/last', 1500, 400)],
};

// The graph of tasks is all that is read of a plan here.
const PLAN = {
  tasks: [
    { kind: 'Package', name: 'slow', props: {} },
    { kind: 'Package', name: 'quick', props: {} },
    { kind: 'File', name: 'last', props: { after: [{ ref: 'Package/slow' }, { ref: 'Package/quick' }] } },
  ],
} as unknown as NodePlan;

test('the critical path is the chain of needs that ended last', () => {
  const { tasks, durationMs, knowsCriticalPath } = machineTimeline('nodes-1', REPORT, PLAN);
  expect(tasks.map(({ task: name, startMs, isCritical }) => [name, startMs, isCritical])).toEqual([
    ['Package/slow', 0, true],
    ['Package/quick', 0, false],
    ['File/last', 500, true],
  ]);
  expect([durationMs, knowsCriticalPath]).toEqual([900, true]);
});

test('without its plan a boot is shown, and no path is made up', () => {
  const timeline = machineTimeline('nodes-1', REPORT, undefined);
  expect(timeline.knowsCriticalPath).toBe(false);
  expect(timeline.tasks.filter(({ isCritical }) => isCritical)).toEqual([]);
});

test('a boot that goes on lasts as long as its tasks; times that are none count as its beginning', () => {
  const { finishedAt: _, ...running } = REPORT;
  const odd = { ...task('File/odd', 0, 30), startedAt: 'yesterday' };
  const timeline = machineTimeline('nodes-1', { ...running, result: 'running', tasks: [...REPORT.tasks, odd] }, PLAN);
  expect(timeline.durationMs).toBe(900);
  expect(timeline.tasks.find((one) => one.task === 'File/odd')).toMatchObject({ startMs: 0, durationMs: 30 });
});

test('a boot whose start cannot be read has none, and its tasks are counted from the first', () => {
  const timeline = machineTimeline('nodes-1', { ...REPORT, startedAt: 'yesterday' }, PLAN);
  expect(timeline.startMs).toBeUndefined();
  expect(timeline.tasks.map(({ startMs }) => startMs)).toEqual([0, 0, 500]);
  expect(timeline.durationMs).toBe(900);
});
