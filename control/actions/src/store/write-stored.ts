import type { StateStore } from '@kopsctl/state-store/store.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import { refsIn } from '@kopsctl/tasks/references.ts';
import { run } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { keysetHandler } from '../handlers/keyset.ts';
import { managedFileHandler } from '../handlers/managed-file.ts';
import { secretHandler } from '../handlers/secret.ts';
import { stateKeyHandler } from '../handlers/state-key.ts';
import { type StoreEnv, storeEnv } from '../handlers/store-env.ts';

/** The kinds of what lies in the state store. */
export const STORE_KINDS = ['Keyset', 'Secret', 'ManagedFile', 'StateKey'];

export interface StoredRequest {
  readonly store: StateStore;
  readonly cluster: string;
  /** Only tasks of the kinds above. */
  readonly tasks: readonly Task[];
  readonly signal: AbortSignal;
}

/** Writes what machines read from the state store, where another tool makes the machines. */
export async function writeStored({ store, cluster, tasks, signal }: StoredRequest): Promise<RunResult> {
  const now = tasks.map(sealedAtOnce);
  for (const task of now) refuseForeignNeeds(task);
  return run<StoreEnv>({
    tasks: now,
    handlers: [managedFileHandler, keysetHandler, secretHandler, stateKeyHandler],
    env: storeEnv(store, cluster),
    mode: 'apply',
    signal,
    clock: systemClock,
    random: Math.random,
  });
}

/** The other tool makes what gives machines the right to open, later: a person applies its files right away. */
function sealedAtOnce(task: Task): Task {
  if (task.kind !== stateKeyHandler.kind) return task;
  const { after: _, ...props } = task.props;
  return { ...task, props };
}

/** What is stored now waits for nothing that the other tool makes later. */
function refuseForeignNeeds(task: Task): void {
  if (refsIn(task.props).every(({ ref }) => STORE_KINDS.includes(ref.split('/')[0] ?? ''))) return;
  throw new Error(`${task.kind}/${task.name} needs what only another tool makes`);
}
