import { expect, test } from 'vitest';
import { serviceHandler } from './service.ts';
import type { ServiceState } from './service-state.ts';

const wanted = { unit: 'demo.service', enabled: true, running: true };
const state = (
  systemd: Partial<NonNullable<ServiceState['systemd']>>,
  isEnabled = true,
  newestFileMs = 0,
): ServiceState => ({
  isEnabled,
  newestFileMs,
  systemd: { isRunning: true, needsReload: false, startedMs: 1000, ...systemd },
});
const actions = (actual: ServiceState, props = wanted) =>
  serviceHandler.plan('demo', props, actual).map(({ action }) => action);

test('a unit that is enabled and has run since its files were written needs nothing', () => {
  expect(actions(state({}, true, 999))).toEqual([]);
});

test('a unit whose files changed after it was started is reloaded and restarted', () => {
  expect(actions(state({ needsReload: true }, true, 1001))).toEqual(['daemon-reload', 'restart']);
});

test('a new unit is enabled and started', () => {
  expect(actions(state({ isRunning: false, startedMs: 0 }, false))).toEqual(['enable', 'start']);
});

test('a unit that runs without being enabled is enabled so that systemd takes note', () => {
  const [step] = serviceHandler.plan('demo', wanted, state({}, false));
  expect(step).toMatchObject({ action: 'enable', isLoaded: true });
});

test('where systemd does not run only what is on disk is planned', () => {
  expect(actions({ isEnabled: false, newestFileMs: 5 })).toEqual(['enable']);
});
