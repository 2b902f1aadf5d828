import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tryCommand } from './command.ts';
import { Together } from './together.ts';

/** A database of packages is read in milliseconds, from a slow disk in seconds. */
const ANSWER_MS = 60_000;

export const usesDpkg = (root: string): boolean => existsSync(join(root, 'var/lib/dpkg/status'));

/** Asks the distribution's database which packages are installed. Concurrent questions become one. */
export function packageQuestions(root: string): Together<boolean> {
  return new Together(async (names) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    if (!usesDpkg(root)) return askRpm(root, names, signal);
    const args = [
      `--admindir=${join(root, 'var/lib/dpkg')}`,
      '-W',
      '-f',
      '${Package} ${db:Status-Status}\\n',
      ...names,
    ];
    // It exits with 1 when it does not know one of them, and answers about the others.
    const { stdout } = await tryCommand('dpkg-query', args, signal);
    const lines = new Set(stdout.split('\n'));
    return new Map(names.map((name) => [name, lines.has(`${name} installed`)]));
  });
}

/** rpm answers in the order of the question, but reports unknown packages in the language of the user. */
async function askRpm(
  root: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, boolean>> {
  const answers = names.map(async (name): Promise<readonly [string, boolean]> => {
    const { exitCode } = await tryCommand('rpm', ['--root', root, '-q', '--whatprovides', name], signal);
    return [name, exitCode === 0];
  });
  return new Map(await Promise.all(answers));
}
