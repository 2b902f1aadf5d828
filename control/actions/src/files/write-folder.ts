import { join } from 'node:path';
import { writeOutput } from './write-output.ts';

/** Writes files by their paths below a folder. Folders that are missing are made. */
export async function writeFolder(out: string, folder: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of folder) {
    await writeOutput(join(out, path), text, 'name a folder that can be written, and repeat the command');
  }
}
