import type { MachineState } from '@kopsctl/node-plan/machine-state.ts';
import { expect, test } from 'vitest';
import { MachineReporter } from './machine-reporter.ts';

const MINUTE_MS = 60_000;

function machine() {
  const world = {
    state: { discovery: { by: 'cloud', names: 1 }, volumes: {}, isLeader: false, failures: {} } as MachineState,
    errors: ['May 01 12:00:00 nodes-1 kubelet[1]: E0501 it failed'],
    nowMs: Date.parse('2026-05-01T12:00:00Z'),
    monotonicMs: 0,
  };
  const reporter = new MachineReporter({
    node: 'nodes-1',
    state: () => world.state,
    errors: async () => world.errors,
    nowMs: () => world.nowMs,
    monotonicMs: () => world.monotonicMs,
  });
  const news = async (): Promise<unknown> => {
    const report = await reporter.news(AbortSignal.timeout(5_000));
    if (report === undefined) return undefined;
    reporter.kept();
    return JSON.parse(report.toString());
  };
  const pass = (ms: number): void => {
    world.nowMs += ms;
    world.monotonicMs += ms;
  };
  return { world, reporter, news, pass };
}

test('a report says what explains the machine, and the same is not reported twice', async () => {
  const { news, world } = machine();
  world.state = { ...world.state, units: { 'kubelet.service': 'it was stopped' }, clock: { isSynchronized: true } };
  expect(await news()).toEqual({
    apiVersion: 'kopsctl.io/v1',
    kind: 'MachineReport',
    node: 'nodes-1',
    writtenAt: '2026-05-01T12:00:00.000Z',
    state: { units: { 'kubelet.service': 'it was stopped' }, clock: { isSynchronized: true }, failures: {} },
    errors: world.errors,
  });
  expect(await news()).toBeUndefined();
  world.state = { ...world.state, discovery: { by: 'cloud', names: 2 } };
  expect(await news()).toBeUndefined();
});

test('what could not be kept is news until it is', async () => {
  const { reporter, news } = machine();
  expect(await reporter.news(AbortSignal.timeout(5_000))).toBeDefined();
  expect(await news()).toBeDefined();
});

test('errors alone are news after a while, and only if they are others', async () => {
  const { news, pass, world } = machine();
  await news();
  world.errors = [];
  pass(MINUTE_MS);
  expect(await news()).toBeUndefined();
  pass(30 * MINUTE_MS);
  expect(await news()).toMatchObject({ errors: [] });
  pass(31 * MINUTE_MS);
  expect(await news()).toBeUndefined();
});

test('while something does not work, other errors are news sooner', async () => {
  const { news, pass, world } = machine();
  world.state = { ...world.state, failures: { plan: 'connect ECONNREFUSED 127.0.0.1:443' } };
  await news();
  world.errors = ['May 01 12:01:00 nodes-1 kube-apiserver[1]: Error: unknown flag: --x'];
  pass(MINUTE_MS / 6);
  expect(await news()).toBeUndefined();
  pass(MINUTE_MS / 6);
  expect(await news()).toMatchObject({ errors: world.errors });
});

test('a clock that was set is news, because the report tells of it', async () => {
  const { news, pass, world } = machine();
  await news();
  world.nowMs += 10 * MINUTE_MS;
  expect(await news()).toMatchObject({ writtenAt: '2026-05-01T12:10:00.000Z' });
  pass(MINUTE_MS);
  expect(await news()).toBeUndefined();
});
