import { join } from 'node:path';
import { openKopsMade } from '@kopsctl/test-conformance/kops-made.ts';
import { startMoto } from '@kopsctl/test-conformance/moto.ts';
import { markedRow, measure } from './measure.ts';

const CLUSTER = 'three.example.com';

/** A cluster of six machines that kops made, in moto: what a plan of all of it takes, and its files for Terraform. */
export async function recordedRows(kopsctl: string, folder: string): Promise<readonly string[]> {
  const moto = await startMoto({ managedPolicies: false });
  if (moto === undefined) return [];
  const made = await openKopsMade(moto, CLUSTER);
  try {
    await made.kopsctl('adopt', CLUSTER, '--yes');
    const options = { runs: 10, env: made.env };
    const update = ['update', 'cluster', CLUSTER];
    const terraform = [...update, '--target', 'terraform', '--offline', '--out', join(folder, 'recorded')];
    return [
      markedRow(`dry run of ${CLUSTER}`, await measure(kopsctl, update, options), { ms: 500, MiB: 120 }),
      markedRow(`update --target terraform, ${CLUSTER}`, await measure(kopsctl, terraform, options), { ms: 300 }),
    ];
  } finally {
    await made.close();
    await moto.stop();
  }
}
