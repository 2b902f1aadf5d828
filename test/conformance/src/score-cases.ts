import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cli, recordedFolder } from './recorded-cases.ts';

export interface Scored {
  readonly kind: string;
  readonly name: string;
  readonly score: number;
  readonly error?: string;
}

/** Scores cases with the script in their folder. The program runs without any network, even without loopback. */
export async function scoreCases(
  kind: 'create_cluster' | 'update_cluster',
  names: readonly string[],
  options: readonly string[] = [],
): Promise<{ readonly results: readonly Scored[]; readonly mean: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-conformance-'));
  try {
    const report = join(folder, 'report.json');
    const argv = ['--cli', cli.join(' '), '--only', names.join(','), '--json', report, ...options];
    const run = [process.execPath, join(recordedFolder, 'run.mjs'), ...argv];
    await execa('unshare', ['--net', '--', ...run], { reject: false });
    const all: Scored[] = JSON.parse(readFileSync(report, 'utf8'));
    const results = all.filter((one) => one.kind === kind);
    const mean = results.reduce((sum, { score }) => sum + score, 0) / results.length;
    return { results, mean };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
