import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { terminalLog } from '@kopsctl/packaging-assets/terminal-log.ts';
import { ASSETS_DIR, EXAMPLES_DIR, prepare } from './prepare.ts';
import { wantsOf } from './wants-of.ts';

const STATE = 'file:///var/lib/kopsctl/state';

/** Creates a running cluster on a bare machine with one command. */
async function quickstart(example: string): Promise<number> {
  const spec = join(EXAMPLES_DIR, example);
  const wants = wantsOf(readFileSync(spec, 'utf8'), spec);
  const { log, onProgress } = terminalLog();
  const { binDir, kopsctl } = await prepare(wants, log, { onProgress });
  const result = spawnSync(kopsctl, ['apply', '-f', spec, '--state', STATE, '--assets', ASSETS_DIR, '--yes'], {
    stdio: 'inherit',
  });
  if (result.status !== 0) return result.status ?? 1;
  process.stdout.write(
    `To use the cluster in this shell, run:\n  export PATH=${binDir}:$PATH KOPS_STATE_STORE=${STATE}\n`,
  );
  return 0;
}

try {
  process.exitCode = await quickstart(process.argv[2] ?? 'quickstart.yaml');
} catch (error) {
  process.stderr.write(`Error: ${messageOf(error)}\n`);
  if (error instanceof ActionableError) process.stderr.write(`Next:  ${error.next}\n`);
  // Otherwise, what else is being prepared goes on for minutes; what was begun is never taken for done.
  process.exit(1);
}
