import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { terminalLog } from '@kopsctl/packaging-assets/terminal-log.ts';
import { ASSETS_DIR, EXAMPLES_DIR, prepareFirst } from './prepare.ts';
import { candidatesOf } from './wants-of.ts';
import { withVersion } from './with-version.ts';

const STATE = 'file:///var/lib/kopsctl/state';

/** Creates a running cluster on a bare machine with one command. */
async function quickstart(example: string): Promise<number> {
  const spec = join(EXAMPLES_DIR, example);
  const text = readFileSync(spec, 'utf8');
  const { log, onProgress } = terminalLog();
  const { binDir, kopsctl, kubernetes } = await prepareFirst(candidatesOf(text, spec), log, { onProgress });
  const apply = (file: string): number => {
    const argv = ['apply', '-f', file, '--state', STATE, '--assets', ASSETS_DIR, '--yes'];
    return spawnSync(kopsctl, argv, { stdio: 'inherit' }).status ?? 1;
  };
  // An older version than `apply` would infer has to be said.
  const exitCode =
    kubernetes === RECOMMENDED_KUBERNETES ? apply(spec) : applyAs(withVersion(text, kubernetes), spec, apply);
  if (exitCode !== 0) return exitCode;
  process.stdout.write(
    `To use the cluster in this shell, run:\n  export PATH=${binDir}:$PATH KOPS_STATE_STORE=${STATE}\n`,
  );
  return 0;
}

/** Applies a text in the place of a file, under the name of that file. */
function applyAs(text: string, file: string, apply: (file: string) => number): number {
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-quickstart-'));
  try {
    const changed = join(folder, basename(file));
    writeFileSync(changed, text);
    return apply(changed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

try {
  process.exitCode = await quickstart(process.argv[2] ?? 'quickstart.yaml');
} catch (error) {
  process.stderr.write(`Error: ${messageOf(error)}\n`);
  if (error instanceof ActionableError) process.stderr.write(`Next:  ${error.next}\n`);
  // Otherwise, what else is being prepared goes on for minutes; what was begun is never taken for done.
  process.exit(1);
}
