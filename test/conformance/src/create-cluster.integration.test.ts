import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';

/** Flags and the objects kops infers from them, which are no part of this repository: beside it, or where the environment says. */
const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const data =
  process.env['KOPSCTL_CONFORMANCE'] ?? process.env['KOPS_CONFORMANCE'] ?? join(repository, '../shared/conformance');
const cases = existsSync(join(data, 'create_cluster')) ? readdirSync(join(data, 'create_cluster')) : [];
if (cases.length === 0)
  console.warn(`skipped: what kops infers is not recorded at ${data}; set KOPSCTL_CONFORMANCE to where it is`);

/** Our mark. What only a cloud can say (the range of a shared network, OpenStack's flavors) is what is missing. */
const LEAST_MEAN = 0.97;
const LEAST_OF_ONE = 0.94;

interface Scored {
  readonly kind: string;
  readonly name: string;
  readonly score: number;
  readonly error?: string;
}

describe.skipIf(cases.length === 0)('create cluster', () => {
  test('infers what kops infers, and asks no network for it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kopsctl-conformance-'));
    try {
      const report = join(folder, 'report.json');
      const cli = `${join(repository, 'node_modules/.bin/node')} ${join(repository, 'control/cli/src/main.ts')}`;
      const argv = [join(data, 'run.mjs'), '--cli', cli, '--only', cases.join(','), '--json', report];
      await execa(process.execPath, argv, { reject: false });
      const results = (JSON.parse(readFileSync(report, 'utf8')) as Scored[]).filter(
        ({ kind }) => kind === 'create_cluster',
      );
      expect(results).toHaveLength(cases.length);
      const low = results.filter(({ score }) => score < LEAST_OF_ONE);
      expect(low).toEqual([]);
      const mean = results.reduce((sum, { score }) => sum + score, 0) / results.length;
      expect(mean).toBeGreaterThanOrEqual(LEAST_MEAN);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
