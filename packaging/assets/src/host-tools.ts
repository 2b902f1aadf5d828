import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { withExclusiveLock } from '@kopsctl/state-store/file/exclusive-lock.ts';
import { execa } from 'execa';

/** What must be on the host, and the Debian package that has it. */
export interface HostTool {
  /** A program on the path, or the full path of another file. */
  readonly program: string;
  readonly packageName: string;
  /** Completes "install PACKAGE: ", e.g. `compiles Kubernetes`. */
  readonly why: string;
}

/** apt does not wait for all of its own locks, so only one of our processes runs it at a time. */
const LOCK = '/var/cache/kopsctl/host-packages.lock';
const WAIT_LIMIT_MS = 10 * 60 * 1000;

/** Installs the packages of those programs that the host lacks, after it has logged what each is for. */
export async function ensureHostTools(tools: readonly HostTool[], log: (line: string) => void): Promise<void> {
  if ((await missingOf(tools)).length === 0) return;
  await mkdir(path.dirname(LOCK), { recursive: true });
  const lock = { file: LOCK, what: 'install Debian packages', waitLimitMs: WAIT_LIMIT_MS };
  await withExclusiveLock(lock, undefined, async () => {
    const missing = new Map((await missingOf(tools)).map((tool) => [tool.packageName, tool]));
    if (missing.size > 0) await install([...missing.values()], log);
  });
}

async function install(missing: readonly HostTool[], log: (line: string) => void): Promise<void> {
  for (const { packageName, why } of missing) log(`install ${packageName}: ${why}`);
  const packages = missing.map(({ packageName }) => packageName);
  const options = ['-qq', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];
  try {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await execa('apt-get', ['update', '-qq'], { env });
    await execa('apt-get', ['install', ...options, ...packages], { env });
  } catch (cause) {
    throw new ActionableError({
      what: `install ${packages.join(', ')}`,
      why: messageOf(cause).split('\n').slice(0, 5).join('\n'),
      next: `try it by hand: apt-get update && apt-get install ${packages.join(' ')}`,
      cause,
    });
  }
}

async function missingOf(tools: readonly HostTool[]): Promise<readonly HostTool[]> {
  const there = await Promise.all(tools.map(({ program }) => isThere(program)));
  return tools.filter((_, index) => there[index] !== true);
}

async function isThere(program: string): Promise<boolean> {
  // The path of a plain user's su lacks the last two, and the programs are there.
  const folders = path.isAbsolute(program) ? ['/'] : [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'];
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
