import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/** No snapshot takes this long: an older folder was left by a crash. */
const STALE_MS = 6 * 60 * 60_000;

/** Runs `work` with a new folder below `parent` and removes the folder afterwards, together with folders that crashes have left there. */
export async function withTemporaryFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await sweep(parent, Date.now());
  const folder = await mkdtemp(join(parent, `${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sweep(parent: string, nowMs: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const owner = Number(/^(\d+)-/.exec(name)?.[1]);
    try {
      const isStale = nowMs - (await stat(path)).mtimeMs > STALE_MS;
      // The folder belongs to a process that has exited, and no other process uses this parent.
      if (isStale || !isAlive(owner)) await rm(path, { recursive: true, force: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
