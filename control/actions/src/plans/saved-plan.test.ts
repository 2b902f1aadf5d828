import { createHash } from 'node:crypto';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { parseSavedPlan, printSavedPlan, refuseMoved } from './saved-plan.ts';

const tasks: readonly Task[] = [{ kind: 'File', name: 'a', props: { text: 'x' } }];
const planned = (summary: string): RunResult => ({
  mode: 'plan',
  tasks: [
    {
      id: 'File/a',
      result: 'planned',
      existed: false,
      steps: [{ action: 'write', summary }],
      attempts: 1,
      startMs: 1,
      warnings: [],
    },
  ],
  deletions: [],
  changed: 1,
  failed: 0,
  cancelled: false,
});
const spec = { 'demo/config': '1', 'demo/instancegroup/nodes': '1' };
const text = printSavedPlan(
  { cluster: 'demo', store: 'file:///s', prune: false, spec, changes: [] },
  planned('write a'),
  tasks,
);
const saved = parseSavedPlan(text, 'plan.json');

test('A plan is read as it was saved', () => {
  expect(saved).toMatchObject({ cluster: 'demo', store: 'file:///s', prune: false, spec, changes: [] });
});

test('A world that stands still lets the plan pass, at another time too', () => {
  const later = planned('write a');
  const [task] = later.tasks;
  if (task === undefined) throw new Error('no task');
  const now = { spec, planned: { ...later, tasks: [{ ...task, startMs: 99 }] }, tasks };
  expect(() => refuseMoved(saved, now)).not.toThrow();
});

test.each([
  ['a spec that was edited', { spec: { ...spec, 'demo/config': '2' } }, 'demo/config was changed'],
  ['a group that is new', { spec: { ...spec, 'demo/instancegroup/x': '1' } }, 'demo/instancegroup/x is new'],
  ['a group that is gone', { spec: { 'demo/config': '1' } }, 'demo/instancegroup/nodes was deleted'],
  ['another step', { planned: planned('write b') }, 'File/a would now be treated differently'],
  [
    'other properties behind the same step',
    { tasks: [{ kind: 'File', name: 'a', props: { text: 'y' } }] },
    'would be done differently',
  ],
])('A plan is refused after %s', (_title, moved, why) => {
  expect(() => refuseMoved(saved, { spec, planned: planned('write a'), tasks, ...moved })).toThrow(why);
});

test.each([
  ['an edited one', text.replace('"prune": false', '"prune": true'), 'it was changed since it was saved'],
  ['another file', '{"kind":"Pod"}', 'it is not a plan'],
  ['no JSON', 'kind: SavedPlan', 'it is not JSON'],
])('%s is refused', (_title, file, why) => {
  expect(() => parseSavedPlan(file, 'plan.json')).toThrow(why);
});

test.each([
  ['without the changes', { changes: undefined }],
  ['with a change of another form', { changes: [{ path: 'demo/config', change: 'delete', text: '' }] }],
  ['whose plan is not one', { plan: '{}' }],
])('One that somebody made up %s is refused, although its hash is right', (_title, other) => {
  const { sha256: _, ...rest } = JSON.parse(text);
  const made = JSON.parse(JSON.stringify({ ...rest, ...other }));
  const sha256 = createHash('sha256').update(sortedJson(made)).digest('hex');
  expect(() => parseSavedPlan(JSON.stringify({ ...made, sha256 }), 'plan.json')).toThrow(
    /read the saved plan plan.json/,
  );
});
