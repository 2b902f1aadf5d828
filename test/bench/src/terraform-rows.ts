import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { clusterWithGroups } from './many-groups.ts';
import { measure } from './measure.ts';
import type { Row } from './row.ts';

/** Measures rendering AWS clusters for Terraform. The first run of each, which is not counted, creates its keys. */
export async function terraformRows(kopsctl: string, folder: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const groups of [2, 100, 1000]) {
    const name = `groups${groups}.example.com`;
    const env = { KOPS_STATE_STORE: `file://${folder}/aws-${groups}` };
    const spec = join(folder, `${name}.yaml`);
    await writeFile(spec, clusterWithGroups(name, groups, 'aws'));
    await execa(kopsctl, ['create', '-f', spec], { env });
    const argv = ['update', 'cluster', name, '--target', 'terraform', '--offline', '--out', join(folder, name)];
    const measured = await measure(kopsctl, argv, { runs: 5, env });
    rows.push({ what: `update --target terraform, ${groups} instance groups`, measured });
  }
  return rows;
}
