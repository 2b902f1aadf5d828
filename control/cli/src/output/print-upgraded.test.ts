import type { Operation } from '@kopsctl/actions/upgrade/operation.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { printRollStatus } from './print-rolling.ts';
import { printReconciled, printUpgraded } from './print-upgraded.ts';
import { narrateAsJson } from './terminal.ts';

afterEach(() => {
  vi.restoreAllMocks();
  narrateAsJson(false);
});

const GLOBAL = { verbosity: 0 };

const left = (kind: Operation['kind'], state: Operation['state']): Operation => ({
  apiVersion: 'kopsctl.io/v1',
  kind,
  id: 'one',
  startedMs: 0,
  state,
  stages: [{ what: 'roll', kubernetes: '1.35.0', changes: [], state: 'running' }],
});

function saidOf(print: () => unknown): string {
  const said: string[] = [];
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  print();
  return said.join('');
}

test.each(['stopped', 'paused', 'failed'] as const)('Work that is %s goes on as it was asked for', (state) => {
  const again = 'To continue: kopsctl rolling-update resume demo\n';
  const upgrade = left('Upgrade', state);
  const upgraded = { cluster: 'demo', proposals: [], stages: [], operation: upgrade };
  expect(saidOf(() => printUpgraded(GLOBAL, upgraded, true))).toContain(again);
  const reconciled = { kind: 'done', cluster: 'demo', operation: left('Reconciliation', state) } as const;
  expect(saidOf(() => printReconciled(GLOBAL, reconciled))).toContain(again);
  const status = { cluster: 'demo', operation: upgrade };
  expect(saidOf(() => printRollStatus(GLOBAL, status, 'table'))).toContain(again);
});

test('After work that a person ended, a new one begins', () => {
  const reconciled = { kind: 'done', cluster: 'demo', operation: left('Reconciliation', 'aborted') } as const;
  expect(saidOf(() => printReconciled(GLOBAL, reconciled))).toContain(
    'A new one: kopsctl reconcile cluster demo --yes\n',
  );
});

test('Why it has failed is an error, also for a program', () => {
  const failed = { ...left('Upgrade', 'failed'), why: 'nodes-1 did not join' };
  const print = () => printUpgraded(GLOBAL, { cluster: 'demo', proposals: [], stages: [], operation: failed }, true);
  expect(saidOf(print)).toContain('Error: nodes-1 did not join\n');
  narrateAsJson(true);
  const [first = ''] = saidOf(print).split('\n');
  expect(JSON.parse(first)).toEqual({ type: 'error', message: 'nodes-1 did not join', exitCode: 1 });
});
