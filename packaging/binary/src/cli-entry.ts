import { main } from '@kopsctl/cli/main.ts';

/** kopsctl as one file: its arguments begin at 2, in a single executable as under `node script`. */
async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), process.env);
}

void start();
