import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files of a package: their contents by their paths. */
export type Tree = ReadonlyMap<string, string | Uint8Array>;

/** Writes a tree so that what is packed from it does not depend on the umask or the clock. */
export async function layTree(
  folder: string,
  tree: Tree,
  { executables, dateSeconds }: { readonly executables: readonly string[]; readonly dateSeconds: number },
): Promise<void> {
  for (const [name, content] of tree) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await dated(folder, '', new Set(executables), dateSeconds);
}

async function dated(folder: string, below: string, executables: ReadonlySet<string>, seconds: number): Promise<void> {
  for (const entry of await readdir(path.join(folder, below), { withFileTypes: true })) {
    const name = path.join(below, entry.name);
    if (entry.isDirectory()) await dated(folder, name, executables, seconds);
    else {
      await chmod(path.join(folder, name), executables.has(name) ? 0o755 : 0o644);
      await utimes(path.join(folder, name), seconds, seconds);
    }
  }
  await chmod(path.join(folder, below), 0o755);
  await utimes(path.join(folder, below), seconds, seconds);
}
