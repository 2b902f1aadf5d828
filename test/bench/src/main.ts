import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { ASSETS_DIR, prepare } from '../../../packaging/quickstart/src/prepare.ts';
import { clusterFigures } from './cluster-figures.ts';
import { clusterWithGroups } from './many-groups.ts';
import { interactiveRows } from './interactive-rows.ts';
import { measure } from './measure.ts';
import { recordedRows } from './recorded-rows.ts';
import { isMissed, type Row, tableOf } from './row.ts';
import { terraformRows } from './terraform-rows.ts';

/**
 * Prints the figures of docs/performance.md as Markdown tables. `--commands` skips the tables that need machines. A mark that is
 * missed is an exit code of 1.
 */
const prepared = await prepare({ kubernetes: [RECOMMENDED_KUBERNETES] }, (line) => process.stderr.write(`${line}\n`));
const folder = await mkdtemp(join(tmpdir(), 'kopsctl-bench-'));
try {
  const spec = join(folder, 'hundred.yaml');
  await writeFile(spec, clusterWithGroups('hundred.local.test', 100));
  const env = {
    KOPS_STATE_STORE: `file://${folder}/state`,
    KOPSCTL_ASSETS: ASSETS_DIR,
    KOPSCTL_LOCAL_DIR: join(folder, 'local'),
  };
  const kopsctl = prepared.kopsctl;
  // A file that was just built is in the page cache in large pieces, each of which counts as resident as a whole. This
  // restores the state after a reboot.
  await execa('sync', [kopsctl]);
  await execa('dd', [`if=${kopsctl}`, 'iflag=nocache', 'count=0']);
  const creation = ['create', 'cluster', 'bench.local.test', '--dry-run', '-o', 'yaml'];
  const plan = (file: string) => measure(kopsctl, ['plan', '-f', file], { runs: 10, env });
  const rows: readonly Row[] = [
    { what: '`kopsctl --version`', measured: await measure(kopsctl, ['--version'], { runs: 20 }), mark: { ms: 25 } },
    ...(await interactiveRows(kopsctl, env)),
    {
      what: '`kopsctl create cluster --dry-run -o yaml`',
      measured: await measure(kopsctl, creation, { runs: 20, env }),
      mark: { ms: 50 },
    },
    { what: 'plan, 2 instance groups', measured: await plan(join(prepared.examplesDir, 'quickstart.yaml')) },
    { what: 'plan, 100 instance groups', measured: await plan(spec) },
    ...(await terraformRows(kopsctl, folder)),
    ...(await recordedRows(kopsctl, folder)),
  ];
  process.stdout.write(`${tableOf(rows)}\n`);
  if (rows.some(isMissed)) process.exitCode = 1;
  if (!process.argv.includes('--commands')) process.stdout.write(`\n${await clusterFigures(prepared)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
