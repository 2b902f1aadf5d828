import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { clusterWithGroups } from './many-groups.ts';
import { measure, row } from './measure.ts';

/** Measures rendering AWS clusters for Terraform. The first run of each, which is not counted, creates its keys. */
export async function terraformRows(kopsctl: string, folder: string): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const groups of [2, 100, 1000]) {
    const name = `groups${groups}.example.com`;
    const env = { KOPS_STATE_STORE: `file://${folder}/aws-${groups}` };
    const spec = join(folder, `${name}.yaml`);
    await writeFile(spec, clusterWithGroups(name, groups, 'aws'));
    await execa(kopsctl, ['create', '-f', spec], { env });
    const argv = ['update', 'cluster', name, '--target', 'terraform', '--offline', '--out', join(folder, name)];
    rows.push(
      row(`update --target terraform, ${groups} instance groups`, await measure(kopsctl, argv, { runs: 5, env })),
    );
    if (groups > 2) continue;
    rows.push(row('`kopsctl get all`', await measure(kopsctl, ['get', 'all', '--name', name], { runs: 20, env })));
  }
  return rows;
}
