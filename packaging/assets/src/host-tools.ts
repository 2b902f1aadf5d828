import { access, constants } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

/** What must be on the host, and the Debian package that has it. */
export interface HostTool {
  /** A program on the path, or the full path of another file. */
  readonly program: string;
  readonly packageName: string;
}

/** Installs the packages of those programs that the host lacks, after a line that says which and what for. */
export async function ensureHostTools(
  tools: readonly HostTool[],
  why: string,
  log: (line: string) => void,
): Promise<void> {
  const missing: HostTool[] = [];
  for (const tool of tools) if (!(await isThere(tool.program))) missing.push(tool);
  if (missing.length === 0) return;

  const packages = [...new Set(missing.map(({ packageName }) => packageName))];
  log(`install ${packages.join(', ')}: ${why}`);
  try {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await execa('apt-get', ['update', '-qq'], { env });
    await execa('apt-get', ['install', '-qq', '--yes', '--no-install-recommends', ...packages], { env });
  } catch (cause) {
    throw new ActionableError({
      what: `install ${packages.join(', ')}`,
      why: messageOf(cause),
      next: `install them by hand (apt-get install ${packages.join(' ')}), then run the same command again`,
      cause,
    });
  }
}

async function isThere(program: string): Promise<boolean> {
  const folders = path.isAbsolute(program) ? ['/'] : (process.env['PATH'] ?? '').split(':');
  for (const folder of folders) {
    try {
      await access(path.join(folder, program), path.isAbsolute(program) ? constants.R_OK : constants.X_OK);
      return true;
    } catch {
      // Not in this folder; the answer is in whether any has it.
    }
  }
  return false;
}
