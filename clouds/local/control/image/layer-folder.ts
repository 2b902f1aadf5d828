import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The folder in the cache for these inputs, whether it is there or not. */
export function layerFolderPath(cache: string, name: string, inputs: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
  return join(cache, `${name}-${hash}`);
}

/**
 * A folder that is named by the hash of its inputs, made once, and appears only when it is complete. Two processes
 * that find none both make one, which takes two minutes at most. (The cache of packaging/assets, `cached-folder.ts`, holds
 * builds that take much longer: one process makes them while others wait, and their files are checked when they are used.)
 */
export async function layerFolder(
  cache: string,
  name: string,
  inputs: unknown,
  make: (draft: string) => Promise<void>,
): Promise<string> {
  const folder = layerFolderPath(cache, name, inputs);
  if (await exists(folder)) return folder;
  await removeOldDrafts(cache, `${basename(folder)}.`);
  const draft = `${folder}.${randomUUID()}`;
  await mkdir(draft, { recursive: true, mode: 0o755 });
  try {
    await make(draft);
    // Two processes may race: the first one to finish provides the folder; the rename of the other fails because it is
    // not empty.
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/** Nothing takes that long to make: an older draft was left by a killed process. */
const DRAFT_LIVES_MS = 60 * 60 * 1000;

async function removeOldDrafts(cache: string, prefix: string): Promise<void> {
  await mkdir(cache, { recursive: true, mode: 0o755 });
  for (const name of await readdir(cache)) {
    if (!name.startsWith(prefix)) continue;
    const draft = join(cache, name);
    const { ctimeMs } = await stat(draft);
    if (Date.now() - ctimeMs > DRAFT_LIVES_MS) await rm(draft, { recursive: true, force: true });
  }
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
