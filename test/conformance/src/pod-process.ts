import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tokenVolumeOf, variablesOf, waysOf } from '@kopsctl/model/addons/testdata/cloud-ways.ts';
import { items, type PlacedPod } from '@kopsctl/model/addons/testdata/placed-pods.ts';
import { execa } from 'execa';

/** What answers in place of AWS. */
export interface AwsPlaces {
  readonly sts: string;
  readonly metadata: string;
  readonly account: string;
  readonly region: string;
}

/** Nothing listens there, as for pods with a network of their own whose packets to the metadata service are dropped. */
const NOWHERE = 'http://127.0.0.1:9';
const WHO = join(import.meta.dirname, 'who-calls-aws.ts');

/**
 * What AWS sees of the first container of a rendered pod: a process with the variables of that container and nothing else, the
 * token where the pod mounts it, and the metadata service where the network of the pod leads to it.
 *
 * @param folder an empty one, in which volumes are
 */
export async function whoIs(placed: PlacedPod, places: AwsPlaces, folder: string): Promise<string> {
  const [container] = items(placed.pod['containers']);
  if (container === undefined) throw new Error(`${placed.workload} has no container`);
  const own = Object.entries(variablesOf(container)).map(([name, value]) => [
    name,
    value.replaceAll('@{account}', places.account),
  ]);
  const env: Record<string, string> = Object.fromEntries(own);
  const file = env['AWS_WEB_IDENTITY_TOKEN_FILE'];
  if (file !== undefined && tokenVolumeOf(placed.pod, container) !== undefined) {
    env['AWS_WEB_IDENTITY_TOKEN_FILE'] = join(folder, file);
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), 'header.claims.signature');
  }
  const { stdout } = await execa(process.execPath, [WHO], {
    extendEnv: false,
    env: {
      // Some programs are told their region by a flag, others ask the metadata service.
      AWS_REGION: places.region,
      ...env,
      HOME: folder,
      AWS_ENDPOINT_URL: places.sts,
      AWS_EC2_METADATA_SERVICE_ENDPOINT: waysOf(placed).includes('as its machine') ? places.metadata : NOWHERE,
    },
  });
  return stdout.trim();
}
