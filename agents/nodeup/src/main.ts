import { constants, setPriority } from 'node:os';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { VERSION } from './version.ts';

/** nodeup. `argv` holds the arguments without the names of program and script. Resolves with the exit code. */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (argv[0] === '--version') {
    process.stdout.write(`nodeup ${VERSION}\n`);
    return 0;
  }
  if (argv[0] === '--machine-facts') {
    await printMachineFacts();
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
  const { runUntilTold } = await import('@kopsctl/agent/run-until-told.ts');
  const openLog = async () => (await import('@kopsctl/agent/log.ts')).processLog(env, 'nodeup');
  // A dry run logs nothing unless it fails.
  const log = options.isDryRun ? (await import('@kopsctl/agent/lazy-log.ts')).lazyLog(openLog) : await openLog();
  return runUntilTold(async (signal) => (await import('./start.ts')).start(options, env, log, signal), log);
}

/** Prints the hardware and operating system of this machine as JSON. */
async function printMachineFacts(): Promise<void> {
  // A boot is more urgent: nodeup runs this while it carries out its plan.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { gatherMachineFacts } = await import('@kopsctl/machine-facts/gather-machine-facts.ts');
  process.stdout.write(`${JSON.stringify(await gatherMachineFacts(), undefined, 2)}\n`);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
