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
  try {
    const { start } = await import('./start.ts');
    return await start(options, env);
  } catch (error) {
    process.stderr.write(`<3>nodeup: ${messageOf(error)}\n`);
    if (error instanceof ActionableError) process.stderr.write(`<3>nodeup: next: ${error.next}\n`);
    return 1;
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
