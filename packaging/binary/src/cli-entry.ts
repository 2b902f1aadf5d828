import { main } from '@kopsctl/cli/main.ts';

/** kopsctl as one file. Its arguments begin at index 2, both in a single executable and with `node script`. */
async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), process.env);
}

void start();
