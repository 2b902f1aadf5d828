import { expect, test } from 'vitest';
import { getNodePlans } from '../get-node-plans.ts';
import { planCluster } from '../plan-cluster.ts';
import { type ActionEvent, inPhase } from './action.ts';

/** The events of some work, without their times. */
async function eventsOf(work: (onEvent: (event: ActionEvent) => void) => Promise<unknown>): Promise<readonly string[]> {
  const told: string[] = [];
  await work((event) => told.push('phase' in event ? `${event.type}: ${event.phase}` : event.type)).catch(
    (error: unknown) => told.push(String(error)),
  );
  return told;
}

test('A phase reports its start and its end, and gives its result', async () => {
  const told = await eventsOf(async (onEvent) => expect(await inPhase({ onEvent }, 'count', () => 1)).toBe(1));
  expect(told).toEqual(['phase-started: count', 'phase-finished: count']);
});

test('A phase that fails says so, and its error goes on', async () => {
  const told = await eventsOf((onEvent) =>
    inPhase({ onEvent }, 'count', () => {
      throw new Error('lost count');
    }),
  );
  expect(told).toEqual(['phase-started: count', 'phase-failed: count', 'Error: lost count']);
});

test('An action ends at the phase that fails', async () => {
  const context = { state: 'memory://s', env: {}, signal: new AbortController().signal };
  const told = await eventsOf((onEvent) =>
    planCluster({ ...context, onEvent }, { cluster: 'demo', scope: { prune: false } }),
  );
  expect(told).toEqual([
    'phase-started: read the cluster',
    'phase-failed: read the cluster',
    expect.stringContaining('memory://s does not hold it'),
  ]);
});

test('A cluster that is not there is to be created only by commands that create clusters', async () => {
  const { signal } = new AbortController();
  const context = { state: 'memory://s', env: {}, signal, onEvent: () => undefined };
  await expect(planCluster(context, { cluster: 'demo', scope: { prune: false } })).rejects.toMatchObject({
    next: expect.stringContaining('`kopsctl apply -f FILE --yes`'),
  });
  await expect(getNodePlans({ ...context, name: 'demo' }, [])).rejects.toMatchObject({
    next: 'check --name and --state; `kopsctl get clusters` lists the clusters of a store',
  });
});
