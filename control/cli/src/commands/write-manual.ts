import { writeFolder } from '@kopsctl/actions/files/write-folder.ts';
import type { Command } from 'commander';
import { manualPages } from '../help/manual.ts';
import { writeOut } from '../output/terminal.ts';
import { VERSION } from '../version.ts';

/** Writes the manual pages of all commands. */
export async function writeManual(program: Command, out: string): Promise<number> {
  const pages = manualPages(program, VERSION);
  await writeFolder(out, pages);
  writeOut(`Wrote ${pages.size} manual pages to ${out}\n`);
  return 0;
}
