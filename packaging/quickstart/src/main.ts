import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ASSETS_DIR, prepare } from './prepare.ts';

const STATE = 'file:///var/lib/kopsctl/state';

/** Creates a running cluster on a bare machine with one command. */
async function quickstart(example: string): Promise<number> {
  const { binDir, kopsctl, examplesDir } = await prepare((line) => process.stderr.write(`${line}\n`));
  const result = spawnSync(
    kopsctl,
    ['apply', '-f', join(examplesDir, example), '--state', STATE, '--assets', ASSETS_DIR, '--yes'],
    { stdio: 'inherit' },
  );
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
  process.exitCode = 1;
}
