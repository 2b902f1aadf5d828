import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { dataFolder } from './restore/data-folders.ts';
import { parseFirstStart, printFirstStart, startedPath, type FirstStart } from './store/layout.ts';

type Volume = Pick<EtcdClusterConfig, 'mountPoint'>;

/** Beside etcd's own folder, so that whatever takes the data away takes this away as well. */
function idPath(volume: Volume, token: string): string {
  return join(dataFolder(volume, token), 'first-start');
}

/** The id of the first start that was begun on this volume; undefined if there was none. */
export async function firstStartOn(volume: Volume, token: string): Promise<string | undefined> {
  return (await ifThere(readFile(idPath(volume, token), 'utf8')))?.trim();
}

/** The id of the first start on this volume, which is made if there is none. */
export async function keepFirstStart(volume: Volume, token: string): Promise<string> {
  const there = await firstStartOn(volume, token);
  if (there !== undefined) return there;
  const id = randomUUID();
  await mkdir(dataFolder(volume, token), { recursive: true, mode: 0o700 });
  await replaceFile(idPath(volume, token), `${id}\n`, { mode: 0o600 });
  return id;
}

/**
 * Records the first start of a member in the store, with the id that its volume already has. A crash in between, or an answer
 * of the store that is lost, changes nothing: the same id is written again. Once the record is in the store, a volume without
 * this id has lost the data, even if etcd was killed before it could say that it has served.
 */
export async function recordFirstStart(
  { backupPath }: Pick<EtcdClusterConfig, 'backupPath'>,
  { token, member, founders, id }: FirstStart & { readonly token: string; readonly member: string },
  store: StateStore,
  signal: AbortSignal,
): Promise<void> {
  const path = `${backupPath}/${startedPath(token, member)}`;
  try {
    await store.write(path, Buffer.from(printFirstStart({ id, founders })), { ifAbsent: true }, signal);
  } catch (error) {
    // Another record is there already; what it says is read at the next look.
    if (!(error instanceof ConflictError)) throw error;
  }
}

/** What the store says about a member's first start: `none` if it never began, `served` if it has no id. */
export async function readStarted(
  { backupPath }: Pick<EtcdClusterConfig, 'backupPath'>,
  token: string,
  member: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<FirstStart | 'served' | 'none'> {
  const stored = await store.read(`${backupPath}/${startedPath(token, member)}`, signal);
  if (stored === undefined) return 'none';
  return parseFirstStart(Buffer.from(stored.bytes).toString('utf8')) ?? 'served';
}
