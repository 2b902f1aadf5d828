import { messageOf, ActionableError } from '@kopsctl/errors/actionable-error.ts';
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
  const { processLog } = await import('./log.ts');
  const log = processLog(env);
  const ended = new AbortController();
  const end = () => ended.abort();
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  try {
    const { start } = await import('./start.ts');
    return await start(options, env, log, ended.signal);
  } catch (error) {
    if (ended.signal.aborted) log(5, 'told to end before it was done; the next run goes on from here');
    else log(3, messageOf(error));
    if (!ended.signal.aborted && error instanceof ActionableError) log(3, `next: ${error.next}`);
    return 1;
  } finally {
    process.removeListener('SIGTERM', end);
    process.removeListener('SIGINT', end);
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
