import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes files by their paths below a folder. */
export async function writeFolder(out: string, folder: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of folder) {
    const file = join(out, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
