import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import { run } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { nodeHandlers } from '../handlers.ts';
import { hostQuestions } from '../host-questions.ts';

/** A folder that stands for a host, for tests: plans run in it as nodeup runs them with --root. */
export interface TemporaryHost {
  readonly root: string;
  readonly store: StateStore;
  plan(tasks: readonly Task[]): Promise<RunResult>;
  /** Tries each task for a second at most. */
  apply(tasks: readonly Task[]): Promise<RunResult>;
  /** Every path with what it holds; unequal after any change that another program could see. */
  snapshot(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export const CLUSTER = 'demo.example.com';

export async function temporaryHost(): Promise<TemporaryHost> {
  const root = await mkdtemp(join(tmpdir(), 'kops-host-'));
  const store = createMemoryStore();
  const input = (tasks: readonly Task[]) => ({
    tasks,
    handlers: nodeHandlers,
    env: {
      root,
      cluster: CLUSTER,
      store: async () => store,
      nowMs: () => Date.now(),
      refused: new Map(),
      hashes: new Map(),
      ...hostQuestions(root),
    },
    signal: new AbortController().signal,
    clock: systemClock,
    random: Math.random,
    // A task that cannot be done fails after this time; one that can is done in a fraction of it, unless the machine is busy.
    limits: { perTaskDeadlineMs: 3000 },
  });
  return {
    root,
    store,
    plan: async (tasks) => run({ ...input(tasks), mode: 'plan' }),
    apply: async (tasks) => run({ ...input(tasks), mode: 'apply' }),
    snapshot: async () => snapshot(root),
    remove: async () => rm(root, { recursive: true, force: true }),
  };
}

async function snapshot(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path);
    if (entry.isSymbolicLink()) return `${name} -> ${await readlink(path)}`;
    return entry.isFile() ? `${name} ${(await readFile(path)).toString('base64')}` : `${name}/`;
  });
  return (await Promise.all(lines)).toSorted();
}

/** What went wrong in a run, a line for each task. */
export function failures(result: RunResult): readonly string[] {
  return result.tasks.filter(({ error }) => error !== undefined).map(({ id, error }) => `${id}: ${error}`);
}
