import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { array, assert, asyncProperty, infiniteStream, integer, nat, record } from 'fast-check';
import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import type { TaskEvent } from './event.ts';
import { NotYet, PermanentError } from './failure.ts';
import { renderPlanJson } from './plan-json.ts';
import { renderPlan } from './plan-text.ts';
import { refsIn } from './references.ts';
import { run, type RunInput } from './run.ts';
import type { Task } from './task.ts';
import { removable, task, thing, told, type World, world } from './testing/story.ts';

/** Runs in the world's time, told from 0 on; with no jitter, so that each backoff has its whole length. */
async function play(tasks: readonly Task[], env: World, more: Partial<RunInput<World>> = {}) {
  const { clock } = env;
  const startMs = clock.nowMs();
  const events: TaskEvent[] = [];
  const onEvent = (event: TaskEvent) => events.push({ ...event, atMs: event.atMs - startMs });
  const signal = new AbortController().signal;
  const running = run<World>({
    tasks,
    env,
    mode: 'apply',
    signal,
    clock,
    random: () => 1,
    handlers: [thing()],
    onEvent,
    ...more,
  });
  const result = await clock.until(running);
  return { result, events, story: told(events), endMs: clock.nowMs() - startMs };
}

function startsOf(events: readonly TaskEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'task-started' ? [`${event.atMs} ${event.task}`] : []));
}

test('a second run finds everything in place', async () => {
  const env = world();
  const tasks = [task('b', { value: { ref: 'Thing/a', output: 'value' } }), task('a', { value: 'one' })];
  expect((await play(tasks, env)).result).toMatchObject({ changed: 2, failed: 0 });
  expect(env.things).toEqual(new Map([['Thing/a', 'one'], ['Thing/b', 'one']])); // oxfmt-ignore
  const { result } = await play(tasks, env);
  expect(result).toMatchObject({ changed: 0, failed: 0 });
  expect(renderPlan(result)).toBe('No changes need to be applied: everything is as wanted.\n');
  expect(env.changes).toHaveLength(2);
});

test('a task starts the moment its needs are done, whatever else still runs', async () => {
  const tasks = [
    task('slow', { takesMs: 1000 }),
    task('quick', { takesMs: 10 }),
    task('after-quick', { takesMs: 10 }, ['quick']),
    task('last', {}, ['slow', 'after-quick']),
  ];
  const { events } = await play(tasks, world());
  expect(startsOf(events)).toEqual(['0 Thing/slow', '0 Thing/quick', '10 Thing/after-quick', '1000 Thing/last']);
});

test('no more tasks run than the kind and the run allow, and a full kind does not hold up others', async () => {
  const handlers = [thing({ concurrency: 2 }), thing({ kind: 'Other' })];
  const many = ['a', 'b', 'c', 'd'].map((name) => task(name, { takesMs: 10 }));
  const tasks = [...many, { kind: 'Other', name: 'x', props: { takesMs: 10 } }];
  const { events } = await play(tasks, world(), { handlers, limits: { concurrency: 3 } });
  expect(startsOf(events)).toEqual(['0 Thing/a', '0 Thing/b', '0 Other/x', '10 Thing/c', '10 Thing/d']);
});

test('a plan, which only looks, looks at all of a kind at once', async () => {
  const find = async (): Promise<undefined> => undefined;
  const handlers = [thing({ concurrency: 1, find })];
  const tasks = ['a', 'b', 'c'].map((name) => task(name));
  const { events } = await play(tasks, world(), { mode: 'plan', handlers });
  expect(events.slice(1, 4).map(({ type }) => type)).toEqual(['task-started', 'task-started', 'task-started']);
});

test('a failure is retried with doubled, capped waits, and a hint comes with giving up', async () => {
  const env = world();
  env.beforeApply = async () => {
    throw new ActionableError({ what: 'reach the cloud', why: 'it is away', next: 'look at its status page' });
  };
  const limits = { firstBackoffMs: 100, maxBackoffMs: 300, perTaskDeadlineMs: 1000 };
  const tasks = [task('a'), task('b', {}, ['a']), task('c', {}, ['b']), task('other')];
  const { result, story } = await play(tasks, env, { limits });
  expect(story.filter((line) => line.includes('Thing/a'))).toMatchInlineSnapshot(`
    [
      "0 run Thing/a Thing/b Thing/c Thing/other",
      "0 Thing/a starts",
      "0 Thing/a plans set a",
      "0 Thing/a failed: cannot reach the cloud: it is away; again in 100",
      "100 Thing/a starts (attempt 2)",
      "100 Thing/a plans set a",
      "100 Thing/a failed: cannot reach the cloud: it is away; again in 200",
      "300 Thing/a starts (attempt 3)",
      "300 Thing/a plans set a",
      "300 Thing/a failed: cannot reach the cloud: it is away; again in 300",
      "600 Thing/a starts (attempt 4)",
      "600 Thing/a plans set a",
      "600 Thing/a failed: cannot reach the cloud: it is away; again in 300",
      "900 Thing/a starts (attempt 5)",
      "900 Thing/a plans set a",
      "900 Thing/a gives up: cannot reach the cloud: it is away (look at its status page)",
      "900 Thing/b skipped: Thing/a failed",
    ]
  `);
  expect(result.failed).toBe(2);
  expect(renderPlan(result)).toMatchInlineSnapshot(`
    "Failed:
      it is away
        Thing/a, Thing/other
        Next: look at its status page
      not tried, as they need these: 2 tasks
    "
  `);
});

test('tasks that need nothing of what failed are finished', async () => {
  const env = world();
  env.beforeApply = async (name) => {
    if (name === 'bad') throw new PermanentError({ what: 'do it', why: 'it is forbidden', next: 'ask for it' });
  };
  const { result, endMs } = await play(
    [task('bad'), task('needs-bad', {}, ['bad']), task('good', { takesMs: 50 })],
    env,
  );
  expect(result.tasks.map(({ id, result }) => `${id} ${result}`)).toEqual([
    'Thing/bad failed',
    'Thing/needs-bad skipped',
    'Thing/good changed',
  ]);
  expect(endMs).toBe(50);
});

test('what is not there yet is waited for quietly', async () => {
  const env = world();
  let looks = 0;
  env.beforeApply = async () => {
    if (++looks < 3) throw new NotYet('containerd does not answer yet', 'journalctl -u containerd');
  };
  const { story, result } = await play([task('image')], env);
  expect(story).toMatchInlineSnapshot(`
    [
      "0 run Thing/image",
      "0 Thing/image starts",
      "0 Thing/image plans set image",
      "0 Thing/image waits: containerd does not answer yet; again in 100",
      "100 Thing/image starts (attempt 2)",
      "100 Thing/image plans set image",
      "100 Thing/image waits: containerd does not answer yet; again in 200",
      "300 Thing/image starts (attempt 3)",
      "300 Thing/image plans set image",
      "300 Thing/image did set image",
      "300 Thing/image changed",
      "300 done: 1 changed, 0 failed",
    ]
  `);
  expect(result.failed).toBe(0);
});

test('a handler whose apply does not bring about what it promised has failed', async () => {
  const lazy = thing({ apply: async () => {} });
  const { result } = await play([task('a')], world(), { handlers: [lazy], limits: { perTaskDeadlineMs: 50 } });
  expect(result.tasks[0]?.error).toBe('applied 1 step(s), but Thing/a still differs: would set a');
});

test('an attempt that hangs is left behind when the deadline and its grace are over', async () => {
  const env = world();
  env.beforeApply = async () => new Promise(() => {});
  const { result, endMs } = await play([task('a')], env, { limits: { perTaskDeadlineMs: 1000, graceMs: 50 } });
  expect(result.tasks[0]?.error).toBe('not done after 1 s (last: it did not stop when told to)');
  expect(endMs).toBe(1050);
});

test('a kind whose things take long has a longer deadline, unless a person gives one', async () => {
  const handlers = [thing({ deadlineMs: 60 * 60_000 })];
  const tried = async (limits: { readonly perTaskDeadlineMs?: number }) => {
    const env = world();
    env.beforeApply = async () => new Promise(() => {});
    return (await play([task('a')], env, { handlers, limits: { graceMs: 50, ...limits } })).endMs;
  };
  expect(await tried({})).toBe(60 * 60_000 + 50);
  expect(await tried({ perTaskDeadlineMs: 1000 })).toBe(1050);
});

test('cancelling stops what runs and skips the rest, without a failure', async () => {
  const stop = new AbortController();
  const env = world();
  env.beforeApply = async (name) => {
    if (name === 'b') stop.abort();
  };
  const tasks = [task('a', { takesMs: 1000 }), task('b', { takesMs: 1000 }), task('c', {}, ['a'])];
  const { result, endMs } = await play(tasks, env, { signal: stop.signal });
  expect(result).toMatchObject({ cancelled: true, failed: 0, changed: 0 });
  expect(result.tasks.map((one) => one.result)).toEqual(['skipped', 'skipped', 'skipped']);
  expect(env.changes).toEqual([]);
  expect(endMs).toBe(0);
});

test('a plan shows outputs that do not exist yet as known after apply', async () => {
  const env = world({ 'Thing/there': 'old' });
  const tasks = [
    task('there', { value: 'new' }),
    task('new', { value: 'x' }),
    task('b', { value: { ref: 'Thing/new', output: 'value' } }),
    task('c', { value: { ref: 'Thing/new', output: 'name' } }),
  ];
  const { result } = await play(tasks, env, { mode: 'plan' });
  expect(env.changes).toEqual([]);
  expect(renderPlan(result)).toMatchInlineSnapshot(`
    "Will create:
      Thing/new
        set new
          value  x
      Thing/b
        set b
          value  (known after apply)
      Thing/c
        set c
          value  new

    Will modify:
      Thing/there
        set there
          value  old → new
    "
  `);
});

test('in a plan what may not be read fails at once, and hides only what uses its outputs', async () => {
  const forbidden = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  const find = async (name: string) => {
    if (name === 'key') throw forbidden;
    return undefined;
  };
  const tasks = [
    task('key'),
    task('after-key', {}, ['key']),
    task('of-key', { value: { ref: 'Thing/key', output: 'value' } }),
  ];
  const { result, endMs } = await play(tasks, world(), { mode: 'plan', handlers: [thing({ find })] });
  expect(result.tasks.map(({ id, result }) => `${id} ${result}`)).toEqual([
    'Thing/key failed',
    'Thing/after-key planned',
    'Thing/of-key skipped',
  ]);
  expect(result.tasks[0]).toMatchObject({
    error: 'cannot look at Thing/key: EACCES: permission denied',
    hint: 'run it as a user who may read this, e.g. root',
  });
  expect(endMs).toBe(0);
});

test('a reference to an output that a task does not yield fails by name', async () => {
  const tasks = [task('a'), task('b', { value: { ref: 'Thing/a', output: 'colour' } })];
  const { result } = await play(tasks, world(), { limits: { perTaskDeadlineMs: 10 } });
  expect(result.tasks[1]?.error).toBe('Thing/a yields no output "colour" (it has: name, value)');
});

test('warnings of a handler are told once each and stand in the result', async () => {
  const said = ['no module br_netfilter here', 'no module br_netfilter here'];
  const { result, story } = await play([task('a')], world(), { handlers: [thing({ warnings: () => said })] });
  expect(story.filter((line) => line.includes('warns'))).toEqual(['0 Thing/a warns: no module br_netfilter here']);
  expect(result.tasks[0]?.warnings).toEqual(['no module br_netfilter here']);
});

test('a kind without a handler is refused before anything is changed', async () => {
  const env = world();
  const tasks = [task('a'), { kind: 'Alien', name: 'x', props: {} }];
  await expect(play(tasks, env)).rejects.toThrow('there is no handler for tasks of kind Alien; known kinds: Thing');
  expect(env.changes).toEqual([]);
});

test('what is ours and no longer wanted is kept, planned or removed in reverse order of kinds', async () => {
  const handlers = [removable('Thing'), removable('Upper')];
  const env = world({ 'Thing/a': 'made', 'Thing/old': 'x', 'Upper/one': 'x', 'Upper/two': 'x' });
  const more = { handlers };
  const kept = (await play([task('a')], env, { ...more, mode: 'apply' })).result;
  expect(kept.changed).toBe(0);
  expect(renderPlan(kept)).toMatchInlineSnapshot(`
    "No longer wanted, kept unless pruning is asked for:
      Upper/two (the Upper/two)
      Upper/one (the Upper/one)
      Thing/old (the Thing/old)
    "
  `);
  const planned = (await play([task('a')], env, { ...more, mode: 'plan', prune: true })).result;
  expect(planned.changed).toBe(3);
  expect(env.changes).toEqual([]);
  const pruned = (await play([task('a')], env, { ...more, prune: true })).result;
  expect(pruned.deletions.map(({ id, result }) => `${id} ${result}`)).toEqual([
    'Upper/two removed',
    'Upper/one removed',
    'Thing/old removed',
  ]);
  expect([...env.things.keys()]).toEqual(['Thing/a']);
});

test('a plan lists what is ours while it looks at the tasks; a list that comes with changes is made after them', async () => {
  const listed = Promise.withResolvers<void>();
  const listing = removable('Thing');
  const handler = {
    ...listing,
    find: async (...of: Parameters<typeof listing.find>) => {
      if (of[2].things.has('Thing/old')) await listed.promise;
      return listing.find(...of);
    },
    listOwned: async (...of: Parameters<NonNullable<typeof listing.listOwned>>) => {
      listed.resolve();
      return (await listing.listOwned?.(...of)) ?? [];
    },
  };
  const planned = await play([task('a')], world({ 'Thing/old': 'x' }), { handlers: [handler], mode: 'plan' });
  expect(planned.result.deletions).toMatchObject([{ id: 'Thing/old' }]);
  const env = world();
  env.beforeApply = async () => void env.things.set('Thing/meanwhile', 'x');
  const applied = await play([task('a')], env, { handlers: [handler] });
  expect(applied.result.deletions).toMatchObject([{ id: 'Thing/meanwhile' }]);
});

test('nothing is removed while something wanted is lacking', async () => {
  const env = world({ 'Thing/old': 'x' });
  env.beforeApply = async () => {
    throw new PermanentError({ what: 'do it', why: 'no', next: 'stop' });
  };
  const more = { handlers: [removable('Thing')], prune: true };
  const { result } = await play([task('a')], env, more);
  expect(result.deletions).toMatchObject([{ result: 'skipped', error: 'not everything that is wanted is there yet' }]);
  expect(env.things.has('Thing/old')).toBe(true);
});

/** Graphs in which each task may need any before it. */
const graphs = array(record({ takesMs: nat(20), needs: array(nat(), { maxLength: 3 }) }), { maxLength: 15 }).map(
  (nodes) =>
    nodes.map(({ takesMs, needs }, index) => {
      const after = index === 0 ? [] : [...new Set(needs.map((need) => `t${need % index}`))];
      return task(`t${index}`, { takesMs }, after);
    }),
);

test('in any graph every task runs after its needs, and a second run plans nothing', async () => {
  await assert(
    asyncProperty(graphs, integer({ min: 1, max: 4 }), async (tasks, concurrency) => {
      const env = world();
      const { result } = await play(tasks.toReversed(), env, { limits: { concurrency } });
      expect(result.changed).toBe(tasks.length);
      for (const one of tasks) {
        const after = refsIn(one.props).map(({ ref }) => env.changes.indexOf(`set ${ref}`));
        expect(Math.max(-1, ...after)).toBeLessThan(env.changes.indexOf(`set Thing/${one.name}`));
      }
      expect((await play(tasks, env, { mode: 'plan' })).result.changed).toBe(0);
    }),
    { numRuns: often(40, 800) },
  );
});

test('in any graph a plan changes nothing and reads the same, in whatever order finding ends', async () => {
  await assert(
    asyncProperty(graphs, infiniteStream(nat(50)), async (tasks, delays) => {
      const texts = new Set<string>();
      for (let round = 0; round < 2; round++) {
        const find = async (_name: string, _props: unknown, { clock }: World) => {
          await clock.sleep(delays.next().value ?? 0, new AbortController().signal);
          return undefined;
        };
        const env = world();
        const { result } = await play(tasks, env, { mode: 'plan', handlers: [thing({ find })] });
        expect(env.changes).toEqual([]);
        texts.add(`${renderPlan(result)}${renderPlanJson(result)}`);
      }
      expect(texts.size).toBe(1);
    }),
    { numRuns: often(40, 800) },
  );
});
