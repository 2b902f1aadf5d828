import { main } from '@kopsctl/cli/main.ts';

/** kopsctl as one file. Its arguments begin at index 2, both in a single executable and with `node script`. */
async function start(): Promise<number> {
  const code = await main(process.argv.slice(2), process.env);
  process.exitCode = code;
  return code;
}

/** The exit code, once the command has ended; for a caller that runs this file repeatedly in one process. */
export const ended = start();
