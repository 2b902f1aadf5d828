import { join } from 'node:path';
import { openKopsMade } from '@kopsctl/test-conformance/kops-made.ts';
import { startMoto } from '@kopsctl/test-conformance/moto.ts';
import { measure } from './measure.ts';
import type { Row } from './row.ts';

const CLUSTER = 'three.example.com';

/** A cluster of six machines that kops made, in moto: what a plan of all of it takes, and its files for Terraform. */
export async function recordedRows(kopsctl: string, folder: string): Promise<readonly Row[]> {
  const moto = await startMoto({ managedPolicies: false });
  if (moto === undefined) return [];
  const made = await openKopsMade(moto, CLUSTER);
  try {
    await made.kopsctl('adopt', CLUSTER, '--yes');
    // As made.kopsctl runs it: machines could not be told of a server for the store alone.
    const { S3_ENDPOINT: _, ...env } = made.env;
    const options = { runs: 10, env };
    const update = ['update', 'cluster', CLUSTER];
    const terraform = [...update, '--target', 'terraform', '--offline', '--out', join(folder, 'recorded')];
    return [
      { what: `dry run of ${CLUSTER}`, measured: await measure(kopsctl, update, options), mark: { ms: 500, MiB: 120 } },
      {
        what: `update --target terraform, ${CLUSTER}`,
        measured: await measure(kopsctl, terraform, options),
        mark: { ms: 300 },
      },
    ];
  } finally {
    await made.close();
    await moto.stop();
  }
}
