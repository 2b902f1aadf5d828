import { execa } from 'execa';

/**
 * What `npm run check` consists of: scripts of package.json that do not depend on each other. The linter needs all types, and
 * reports what the compiler would: `check:types` would find them a second time.
 */
const SCRIPTS = ['check:format', 'check:lint', 'check:architecture', 'check:unit'];

/**
 * The program that knows the types is written in Go and keeps nearly all that it makes: collecting garbage takes it half of its
 * processor time, and saves it no memory (3.6 GB with or without).
 */
const KEEPS_GARBAGE = { GOGC: 'off', GOMEMLIMIT: '6GiB' };

/**
 * Runs them at the same time, and prints the output of each when it has ended, so that it is not mixed with the lines
 * of others.
 */
export async function check(): Promise<number> {
  const exitCodes = await Promise.all(SCRIPTS.map(runScript));
  return exitCodes.every((exitCode) => exitCode === 0) ? 0 : 1;
}

async function runScript(script: string): Promise<number> {
  const startMs = performance.now();
  const { exitCode = 1, all } = await execa('npm', ['run', '--silent', script], {
    reject: false,
    all: true,
    env: KEEPS_GARBAGE,
  });
  const outcome = exitCode === 0 ? 'passed' : `failed with exit code ${exitCode}`;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  process.stdout.write(`${exitCode === 0 ? '' : `${all}\n`}${script}: ${outcome} (${seconds} s)\n`);
  return exitCode;
}

if (import.meta.main) process.exitCode = await check();
