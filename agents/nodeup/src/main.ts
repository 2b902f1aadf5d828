import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { VERSION } from './version.ts';

/** nodeup. Takes the arguments without node and script name; returns the exit code. */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (argv[0] === '--version') {
    process.stdout.write(`nodeup ${VERSION}\n`);
    return 0;
  }
  const { readOptions, USAGE } = await import('./options.ts');
  let options;
  try {
    options = readOptions(argv);
  } catch (error) {
    process.stderr.write(`Error: ${messageOf(error)}\n${USAGE}`);
    return 3;
  }
  if (options === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const { processLog } = await import('@kopsctl/agent/log.ts');
  const { runUntilTold } = await import('@kopsctl/agent/run-until-told.ts');
  const log = processLog(env, 'nodeup');
  return runUntilTold(async (signal) => (await import('./start.ts')).start(options, env, log, signal), log);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
