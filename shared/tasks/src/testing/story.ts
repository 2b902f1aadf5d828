import type { TaskEvent } from '../event.ts';
import type { Handler, Json, JsonObject, Owned, Step, Task } from '../task.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

/** A world for tests: named things that hold a value and take a while to make. */
export interface World {
  readonly clock: VirtualClock;
  readonly things: Map<string, Json>;
  /** Every change that was made, in order. */
  readonly changes: string[];
  /** Called before each apply; may throw, sleep, or hang. */
  beforeApply?: (name: string, signal: AbortSignal) => Promise<void>;
}

export function world(things: Readonly<Record<string, Json>> = {}): World {
  return { clock: virtualClock(), things: new Map(Object.entries(things)), changes: [] };
}

/** Props of a Thing: its value, and how long it takes to make. */
export interface ThingProps {
  readonly value: Json;
  readonly takesMs: number;
}

/** A kind of things in the world. Its output `value` is known once it is there, `name` before. */
export function thing(more: Partial<Handler<World, ThingProps, Json>> = {}): Handler<World, ThingProps, Json> {
  const kind = more.kind ?? 'Thing';
  return {
    kind,
    parse: (props) => ({ value: props['value'] ?? 'made', takesMs: Number(props['takesMs'] ?? 0) }),
    find: async (name, _, { things }) => things.get(`${kind}/${name}`),
    plan(name, { value }, actual) {
      if (actual === value) return [];
      const change = { path: 'value', ...(actual === undefined ? {} : { from: actual }), to: value };
      return [{ action: 'set', summary: `set ${name}`, changes: [change] }];
    },
    async apply(_: Step, name, { value, takesMs }, env, signal) {
      await env.beforeApply?.(name, signal);
      if (takesMs > 0) await env.clock.sleep(takesMs, signal);
      signal.throwIfAborted();
      env.things.set(`${kind}/${name}`, value);
      env.changes.push(`set ${kind}/${name}`);
    },
    outputs: (_name, _props, actual) => ({ value: actual }),
    plannedOutputs: (name) => ({ name }),
    ...more,
  };
}

/** A kind that can be listed and removed as well. */
export function removable(kind: string): Handler<World, ThingProps, Json> {
  return thing({
    kind,
    listOwned: async ({ things }) =>
      [...things.keys()]
        .filter((id) => id.startsWith(`${kind}/`))
        .map((id) => ({ name: id.slice(kind.length + 1), description: `the ${id}`, handle: id })),
    async remove({ name }: Owned, env) {
      env.things.delete(`${kind}/${name}`);
      env.changes.push(`remove ${kind}/${name}`);
    },
  });
}

/** A Thing that comes after the named ones. */
export function task(name: string, props: JsonObject = {}, after: readonly string[] = []): Task {
  return { kind: 'Thing', name, props: { ...props, after: after.map((need) => ({ ref: `Thing/${need}` })) } };
}

/** Events as a person would tell them, with times from the start. */
export function told(events: readonly TaskEvent[]): readonly string[] {
  return events.map((event) => `${event.atMs} ${tell(event)}`);
}

function tell(event: TaskEvent): string {
  switch (event.type) {
    case 'run-started':
      return `run ${event.tasks.join(' ')}`;
    case 'task-started':
      return `${event.task} starts${event.attempt === 1 ? '' : ` (attempt ${event.attempt})`}`;
    case 'task-planned':
      return `${event.task} plans ${event.steps.map((step) => step.summary).join(', ') || 'nothing'}`;
    case 'step-applied':
      return `${event.task} did ${event.step.summary}`;
    case 'task-warned':
      return `${event.task} warns: ${event.warning}`;
    case 'task-retrying':
      return `${event.task} ${event.notYet === true ? 'waits' : 'failed'}: ${event.error}; again in ${event.inMs}`;
    case 'task-finished':
      return `${event.task} ${event.result}`;
    case 'task-failed':
      return `${event.task} gives up: ${event.error}${event.next === undefined ? '' : ` (${event.next})`}`;
    case 'task-skipped':
      return `${event.task} skipped: ${event.because}`;
    case 'run-finished':
      break;
  }
  return `done: ${event.changed} changed, ${event.failed} failed`;
}
