import { createRequire } from 'node:module';
import type { ended } from '@kopsctl/packaging-binary/cli-entry.ts';
import type { Asked, Ran } from './warm-cli.ts';

/**
 * Runs one command line after the other for warm-cli.ts, which has started this process. What a command has in memory for
 * itself is new each time, because the entry of the bundle is; what that imports is loaded once.
 */
const entry = process.argv[2] ?? '';
const require = createRequire(entry);

async function run({ argv, env }: Asked): Promise<Ran> {
  delete require.cache[entry];
  process.argv = [process.execPath, entry, ...argv];
  process.env = { ...env };
  const [out, err]: [string[], string[]] = [[], []];
  // oxlint-disable-next-line no-restricted-properties -- what is printed is caught here
  process.stdout.write = (text) => out.push(String(text)) > 0;
  // oxlint-disable-next-line no-restricted-properties -- the same
  process.stderr.write = (text) => err.push(String(text)) > 0;
  const program: { readonly ended: typeof ended } = require(entry);
  const exitCode = await program.ended;
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  return { exitCode, stdout: shown(out), stderr: shown(err) };
}

/** Without the last newline, as execa has it. */
const shown = (written: readonly string[]): string => written.join('').replace(/\n$/, '');

process.on('message', (asked: Asked) => void run(asked).then((ran) => process.send?.(ran)));
// Whatever a command still waits for: nobody is there to hear of it.
process.on('disconnect', () => process.exit());
