import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** What kops itself produces is no part of this repository: it lies beside it, or where the environment says. */
export const recordedFolder =
  process.env['KOPSCTL_CONFORMANCE'] ?? process.env['KOPS_CONFORMANCE'] ?? join(repository, '../shared/conformance');

/** The names of the recorded cases of a kind; none, and a printed reason, where they are not there. */
export function recordedCases(kind: 'create_cluster' | 'update_cluster'): readonly string[] {
  const folder = join(recordedFolder, kind);
  const cases = existsSync(folder) ? readdirSync(folder) : [];
  if (cases.length === 0) {
    console.warn(`skipped: ${kind} is not recorded at ${recordedFolder}; set KOPSCTL_CONFORMANCE to where it is`);
  }
  return cases;
}

/** The program under test, from its source. */
export const cli: readonly [program: string, main: string] = [
  join(repository, 'node_modules/.bin/node'),
  join(repository, 'control/cli/src/main.ts'),
];
