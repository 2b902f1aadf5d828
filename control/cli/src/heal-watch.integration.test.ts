import type { HealedCluster } from '@kopsctl/actions/heal-cluster.ts';
import type { Roll, Turn } from '@kopsctl/actions/rolling/roll.ts';
import { expect, test, vi } from 'vitest';
import { heal, type HealOptions } from './commands/heal.ts';
import { narrateAsJson } from './output/terminal.ts';

const { happened, looks } = vi.hoisted(() => ({ happened: [] as string[], looks: [] as unknown[] }));

vi.mock(import('@kopsctl/actions/heal-cluster.ts'), () => ({
  healCluster: async () => {
    happened.push('look');
    const look = looks.shift();
    if (look instanceof Error) throw look;
    return look as HealedCluster;
  },
}));
vi.mock(import('node:timers/promises'), async (original) => ({
  ...(await original()),
  setTimeout: (async (ms: number) => void happened.push(`wait ${ms}`)) as never,
}));

const turn = (step: Turn['step']): Turn => ({
  id: 'i-1',
  name: 'nodes-1',
  node: 'nodes-1',
  instanceGroup: 'nodes',
  role: 'Node',
  address: '10.0.0.1',
  why: 'its Node is not Ready',
  step,
  sinceMs: 0,
  standing: 'counted',
  passes: 0,
});
const healed = (state: Roll['state'], step: Turn['step']): HealedCluster => ({
  cluster: 'demo',
  plan: { held: [], machines: 3 },
  roll: {
    apiVersion: 'kopsctl.io/v1',
    kind: 'RollingUpdate',
    id: 'one',
    purpose: 'heal',
    startedMs: 0,
    state,
    turns: [turn(step)],
  },
});

/** Watches until a look ends it. */
async function watched(...found: readonly (HealedCluster | Error)[]) {
  return watchedAs('table', ...found);
}

async function watchedAs(output: HealOptions['output'], ...found: readonly (HealedCluster | Error)[]) {
  happened.length = 0;
  looks.push(...found);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const options = { yes: true, watch: true, interval: '1m', output } as const;
    const code = await heal({ state: 'memory://' } as never, 'demo', options, {});
    const textOf = ({ mock }: typeof said): string => mock.calls.map(([text]) => String(text)).join('');
    return { code, said: textOf(said), printed: textOf(out) };
  } finally {
    said.mockRestore();
    out.mockRestore();
  }
}

test('heal --watch waits between all looks, also after a machine was replaced', async () => {
  const { code, said } = await watched(healed('done', 'done'), healed('failed', 'failed'));
  expect(code).toBe(1);
  expect(said).toContain('The machine was replaced.');
  expect(said).toContain('the replacement is failed');
  expect(happened).toEqual(['look', 'wait 60000', 'look']);
});

test('a machine that is still to be replaced was not replaced, whatever the state of the rolling update', async () => {
  const { code, said } = await watched(healed('done', 'waiting'));
  expect(code).toBe(1);
  expect(said).toContain('the replacement is not finished');
  expect(said).not.toContain('was replaced');
  expect(happened).toEqual(['look']);
});

test('a program is told of a replacement that failed as of every other error', async () => {
  narrateAsJson(true);
  const { code, said, printed } = await watchedAs('json', healed('failed', 'failed'));
  narrateAsJson(false);
  expect({ code, printed: JSON.parse(printed) }).toMatchObject({ code: 1, printed: { roll: { state: 'failed' } } });
  expect(JSON.parse(said)).toEqual({
    type: 'error',
    message: 'the replacement is failed',
    next: 'kopsctl rolling-update status demo',
    exitCode: 1,
  });
});

const calm: HealedCluster = { cluster: 'demo', plan: { held: [], machines: 3 } };
const HEALTHY = 'All 3 machines of demo are healthy.\n';

test('heal --watch says what it found once, and again after a look that failed', async () => {
  const { printed, said } = await watched(calm, calm, new Error('the cloud is away'), calm, healed('failed', 'failed'));
  expect(printed).toBe(`${HEALTHY}${HEALTHY}${HEALTHY}`);
  expect(said).toContain('Trying again: the cloud is away\n');
  expect(happened.filter((one) => one === 'look')).toHaveLength(5);
});
