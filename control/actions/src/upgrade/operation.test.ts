import { expect, test } from 'vitest';
import { isBeforeWorkers, type Operation, resumedOperation, type Stage } from './operation.ts';

const stage = (what: Stage['what'], state: Stage['state']): Stage => ({
  what,
  state,
  kubernetes: '1.35.0',
  changes: [],
});
const operation = (...stages: readonly Stage[]): Operation => ({
  apiVersion: 'kopsctl.io/v1',
  kind: 'Upgrade',
  id: 'one',
  startedMs: 0,
  state: 'failed',
  stages,
});
const states = ({ stages }: Operation): readonly string[] => stages.map(({ what, state }) => `${what} ${state}`);

test('an upgrade that is resumed writes its version to the spec again, because it may have been reverted', () => {
  const left = operation(stage('set-spec', 'done'), stage('update', 'done'), stage('roll', 'running'));
  expect(states(resumedOperation(left, true))).toEqual(['set-spec waiting', 'update waiting', 'roll running']);
});

test('of two steps of an upgrade only the later one is written again', () => {
  const left = operation(
    stage('set-spec', 'done'),
    stage('update', 'done'),
    stage('roll', 'done'),
    stage('set-spec', 'done'),
    stage('update-control-planes', 'running'),
  );
  expect(states(resumedOperation(left, true))).toEqual([
    'set-spec done',
    'update done',
    'roll done',
    'set-spec waiting',
    'update-control-planes running',
  ]);
});

test('what the spec still has is not written again', () => {
  const left = operation(stage('set-spec', 'done'), stage('update', 'running'));
  expect(states(resumedOperation(left, false))).toEqual(['set-spec done', 'update running']);
});

test('what has not begun is left as it is', () => {
  const left = operation(stage('set-spec', 'running'), stage('update', 'waiting'));
  expect(resumedOperation(left, true)).toEqual(left);
});

test.each<[string, boolean, readonly Stage[]]>([
  ['its version may be in the spec', true, [stage('set-spec', 'running'), stage('update-control-planes', 'waiting')]],
  [
    'control planes are still to be replaced',
    true,
    [stage('set-spec', 'done'), stage('roll-control-planes', 'running')],
  ],
  [
    'the next version is not in the spec yet',
    false,
    [stage('roll-control-planes', 'done'), stage('roll', 'done'), stage('set-spec', 'waiting')],
  ],
  [
    'its version is written to the spec once more',
    true,
    [{ ...stage('set-spec', 'waiting'), sinceMs: 1 }, stage('update-control-planes', 'waiting')],
  ],
  ['all control planes have its version', false, [stage('roll-control-planes', 'done'), stage('update', 'waiting')]],
  ['workers are being replaced', false, [stage('update', 'done'), stage('roll', 'running')]],
  ['it is done', false, [stage('roll', 'done')]],
])('kubelets would become newer than API servers or not where %s', (_where, isBefore, stages) => {
  expect(isBeforeWorkers(operation(...stages))).toBe(isBefore);
});

test('an upgrade that a person ended holds nothing back', () => {
  expect(isBeforeWorkers({ ...operation(stage('roll-control-planes', 'running')), state: 'aborted' })).toBe(false);
});

test.each<[string, string | undefined, boolean]>([
  ['the minor version that it applies', '1.35.0', false],
  ['another patch of it', '1.35.7', false],
  ['an older patch of it', '1.35.0-rc.1', false],
  ['the minor version before', '1.34.4', true],
  ['what nobody has told', undefined, true],
])('a reconciliation that was left holds others back or not where API servers ran %s', (_what, ran, isBefore) => {
  const left = operation(stage('update-control-planes', 'done'), stage('roll-control-planes', 'running'));
  const reconciliation = {
    ...left,
    kind: 'Reconciliation',
    ...(ran !== undefined && { oldestApiServer: ran }),
  } as const;
  expect(isBeforeWorkers(reconciliation)).toBe(isBefore);
});
