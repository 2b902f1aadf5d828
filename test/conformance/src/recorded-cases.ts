import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The recorded output of kops is not part of this repository: it is beside it, or in KOPSCTL_CONFORMANCE. */
export const recordedFolder =
  process.env['KOPSCTL_CONFORMANCE'] ?? process.env['KOPS_CONFORMANCE'] ?? join(repository, '../shared/conformance');

const KINDS = ['adopt', 'conversion', 'crds', 'create_cluster', 'node', 'update_cluster'];

/**
 * One sentence if recorded cases are missing. Without them vitest.config.ts excludes the tests that compare with them,
 * `*.recorded.integration.test.ts`.
 */
export function missingRecordings(): readonly string[] {
  const missing = KINDS.filter((kind) => !existsSync(join(recordedFolder, kind)));
  if (missing.length === 0) return [];
  return [
    `Not run: comparisons with the recorded output of kops for ${missing.join(', ')}, which is not in ${recordedFolder}; set KOPSCTL_CONFORMANCE to its folder.`,
  ];
}

/** The names of the recorded cases of a kind. */
export function recordedCases(kind: 'create_cluster' | 'update_cluster'): readonly string[] {
  return readdirSync(join(recordedFolder, kind));
}

/** The program under test, as users install it: it starts in three quarters of the processor time that its bundle needs in Node. */
export const kopsctlProgram = join(repository, 'dist/kopsctl');

/** Its bundle. build-cli.ts has made both from today's sources. */
export const cli: readonly [program: string, main: string] = [
  join(repository, 'node_modules/.bin/node'),
  join(repository, 'dist/kopsctl.cjs'),
];
