import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { kopsctlProgram, recordedFolder } from './recorded-cases.ts';

export interface Scored {
  readonly kind: string;
  readonly name: string;
  readonly score: number;
  readonly error?: string;
}

/**
 * Scores cases with the script in their folder. The program runs without any network, even without loopback. `rendered` holds
 * every `kubernetes.tf` that was scored.
 */
export async function scoreCases(
  kind: 'create_cluster' | 'update_cluster',
  names: readonly string[],
  options: readonly string[] = [],
): Promise<{ readonly results: readonly Scored[]; readonly mean: number; readonly rendered: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-conformance-'));
  try {
    const report = join(folder, 'report.json');
    const kept = join(folder, 'kept');
    mkdirSync(kept);
    const keeping = join(folder, 'keeping.sh');
    writeFileSync(keeping, keepingRendered(kept));
    const argv = ['--cli', `sh ${keeping}`, '--only', names.join(','), '--json', report, ...options];
    const run = [process.execPath, join(recordedFolder, 'run.mjs'), ...argv];
    await execa('unshare', ['--net', '--', ...run], { reject: false });
    const all: Scored[] = JSON.parse(readFileSync(report, 'utf8'));
    const results = all.filter((one) => one.kind === kind);
    const mean = results.reduce((sum, { score }) => sum + score, 0) / results.length;
    const rendered = readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8'));
    return { results, mean, rendered };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The program, except that it leaves a copy of each configuration: the script removes what it has scored. */
const keepingRendered = (folder: string): string => `${kopsctlProgram} "$@" || exit
if [ "$2 $6 $8" = "cluster --target --out" ]; then cp "$9/kubernetes.tf" "$(mktemp ${folder}/XXXXXX)"; fi
`;
