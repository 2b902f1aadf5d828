import { asRecord, isRecord } from '@kopsctl/tasks/record.ts';
import { againOnConflict } from '../again-on-conflict.ts';
import { ifUnchanged } from '../condition.ts';
import type { StateStore } from '../store.ts';
import type { EtcdClusterSpec } from './backup-layout.ts';
import { parseJson, printJson } from './backup-layout.ts';

/**
 * What people ask of an etcd cluster: a folder in `control/` for each wish. Restores are kops's own command files
 * (pkg/commands/vfs.go), so that `etcd-manager-ctl restore-backup` works as well; what kops does not know has a name
 * of ours. The outcome lies beside the wish; a wish with an outcome is never looked at again.
 */
const CONTROL = 'control';
const KOPS_COMMAND = '_command.json';
const OWN_COMMAND = '_kopsctl_command.json';
const OUTCOME = '_outcome.json';
/** Changes with each wish of ours: one small object to look at often, where a listing costs ten times as much. */
const ASKED = 'asked.json';

export type EtcdWish =
  | { readonly action: 'restore-backup'; readonly backup: string; readonly clusterSpec: EtcdClusterSpec }
  | { readonly action: 'backup' }
  /** Without a name, the newest. */
  | { readonly action: 'verify'; readonly backup?: string }
  | { readonly action: 'defrag' }
  /** The file says something other than these. */
  | { readonly action: 'unknown'; readonly why: string };

export interface EtcdCommand {
  /** The name of its folder, e.g. `2026-11-21T01:02:03Z-000000`. */
  readonly name: string;
  readonly wish: EtcdWish;
}

export interface CommandOutcome {
  readonly result: 'done' | 'failed' | 'refused';
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  /** What was done, or why not. */
  readonly message: string;
}

/** Every command that waits, oldest first. */
export async function pendingCommands(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<readonly EtcdCommand[]> {
  const control = `${backupPath}/${CONTROL}/`;
  const files = (await store.list(control, signal)).map(({ path }) => path.slice(control.length));
  const answered = new Set(files.filter((file) => file.endsWith(`/${OUTCOME}`)).map(folderOf));
  const waiting = files.filter((file) => isCommand(file) && !answered.has(folderOf(file))).sort();
  const commands = await Promise.all(
    waiting.map(async (file) => {
      const stored = await store.read(control + file, signal);
      return stored && { name: folderOf(file), wish: parseWish(stored.bytes, file.endsWith(`/${KOPS_COMMAND}`)) };
    }),
  );
  return commands.filter((command) => command !== undefined);
}

/** Writes a command. Resolves with its name. */
export async function writeCommand(
  store: StateStore,
  backupPath: string,
  wish: Exclude<EtcdWish, { readonly action: 'unknown' }>,
  nowMs: number,
  signal?: AbortSignal,
): Promise<string> {
  // kops's form: the time to the second and a number, which it always leaves at zero.
  const second = `${new Date(nowMs).toISOString().slice(0, 19)}Z-`;
  const control = `${backupPath}/${CONTROL}/`;
  const taken = new Set((await store.list(control, signal)).map(({ path }) => folderOf(path.slice(control.length))));
  const { file, text } = printWish(wish, nowMs);
  // What is written at the same moment under the same name shows as a conflict only where the files have one name as well, so
  // those of kops have even numbers and ours odd ones: two commands in one folder would share an outcome.
  let number = file === KOPS_COMMAND ? 0 : 1;
  const nameNow = (): string => `${second}${String(number).padStart(6, '0')}`;
  const name = await againOnConflict(async () => {
    // A name is never used again: the outcome of another command of this second would be taken for this one's.
    while (taken.has(nameNow())) number += 2;
    const name = nameNow();
    taken.add(name);
    await store.write(`${control}${name}/${file}`, Buffer.from(text), { ifAbsent: true }, signal);
    return name;
  });
  await announce(store, `${control}${ASKED}`, name, signal);
  return name;
}

/** A hint: a manager that misses it finds the command in its next listing, so a failure to write it does not fail the command. */
async function announce(store: StateStore, path: string, name: string, signal?: AbortSignal): Promise<void> {
  try {
    const there = await store.read(path, signal);
    const condition = ifUnchanged(there?.version);
    await store.write(path, Buffer.from(printJson({ newest: name })), condition, signal);
  } catch {
    signal?.throwIfAborted();
  }
}

/** Another one with each command that `writeCommand` has written; undefined before the first. */
export async function newestCommand(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return (await store.read(`${backupPath}/${CONTROL}/${ASKED}`, signal))?.version;
}

/** Records how a command ended, then takes its file away, as kops does, so that no other program carries it out. */
export async function recordOutcome(
  store: StateStore,
  backupPath: string,
  name: string,
  outcome: CommandOutcome,
  signal?: AbortSignal,
): Promise<void> {
  const folder = `${backupPath}/${CONTROL}/${name}`;
  if ((await store.read(`${folder}/${OUTCOME}`, signal)) === undefined) {
    await store.write(`${folder}/${OUTCOME}`, Buffer.from(printJson(outcome)), { ifAbsent: true }, signal);
  }
  for (const file of [KOPS_COMMAND, OWN_COMMAND]) await store.delete(`${folder}/${file}`, undefined, signal);
}

/** How a command ended; undefined until it has. */
export async function readOutcome(
  store: StateStore,
  backupPath: string,
  name: string,
  signal?: AbortSignal,
): Promise<CommandOutcome | undefined> {
  const stored = await store.read(`${backupPath}/${CONTROL}/${name}/${OUTCOME}`, signal);
  const { result, at, by, message } = (stored && parseJson(stored.bytes)) ?? {};
  if (result !== 'done' && result !== 'failed' && result !== 'refused') return undefined;
  return { result, at: String(at), by: String(by), message: String(message) };
}

function isCommand(file: string): boolean {
  return file.endsWith(`/${KOPS_COMMAND}`) || file.endsWith(`/${OWN_COMMAND}`);
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'));
}

function printWish(
  wish: Exclude<EtcdWish, { readonly action: 'unknown' }>,
  nowMs: number,
): { readonly file: string; readonly text: string } {
  // Nanoseconds, which a JavaScript number cannot hold exactly; protobuf's JSON form writes them as a string.
  const timestamp = `${nowMs}000000`;
  if (wish.action === 'restore-backup') {
    const { clusterSpec, backup } = wish;
    return { file: KOPS_COMMAND, text: printJson({ timestamp, restoreBackup: { clusterSpec, backup } }) };
  }
  return { file: OWN_COMMAND, text: printJson({ timestamp, ...wish }) };
}

function parseWish(bytes: Uint8Array, isKops: boolean): EtcdWish {
  const command = parseJson(bytes);
  if (command === undefined) return { action: 'unknown', why: 'it is not a JSON object' };
  if (isKops) return parseRestore(command['restoreBackup'] ?? command['restore_backup'], Object.keys(command));
  const { action, backup } = command;
  if (action === 'backup' || action === 'defrag') return { action };
  if (action === 'verify') return { action, ...(typeof backup === 'string' && backup !== '' && { backup }) };
  return { action: 'unknown', why: `it asks for ${JSON.stringify(action)}` };
}

function parseRestore(value: unknown, fields: readonly string[]): EtcdWish {
  if (!isRecord(value)) {
    return { action: 'unknown', why: `it holds no restoreBackup (found: ${fields.join(', ')})` };
  }
  const { backup, clusterSpec, cluster_spec } = asRecord(value);
  if (typeof backup !== 'string' || backup === '') return { action: 'unknown', why: 'restoreBackup names no backup' };
  const { memberCount, etcdVersion } = asRecord(clusterSpec ?? cluster_spec);
  return {
    action: 'restore-backup',
    backup,
    clusterSpec: {
      memberCount: typeof memberCount === 'number' ? memberCount : 0,
      etcdVersion: typeof etcdVersion === 'string' ? etcdVersion : '',
    },
  };
}
