import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterPaths } from '@kopsctl/clouds/local/control/records/cluster-paths.ts';
import { type LocalCloud, openLocalCloud } from '@kopsctl/clouds/local/control/supervisor/client.ts';
import { livingHolder } from '@kopsctl/clouds/local/control/supervisor/holder.ts';
import { execa } from 'execa';
import { ASSETS_DIR, type Prepared } from '../../../../packaging/quickstart/src/prepare.ts';
import { onContainer } from './machine-image.ts';
import { PublishedFiles } from './published-files.ts';
import { PORTS, type WantedMachine } from './google-protocol.ts';
import { type Google, startGoogle } from './start-google.ts';

const GATEWAY = '172.30.0.1';
const BUCKET = 'kops-state';
const CLUSTER = 'gce-machines.k8s.local';

export interface GceCluster {
  readonly google: Google;
  readonly machines: readonly WantedMachine[];
  /** Runs a command on a machine, and returns what it printed. */
  on(machine: WantedMachine, ...argv: readonly string[]): Promise<string>;
  /** Where the objects of the state store are listed. */
  readonly objectsUrl: string;
  /** Runs a command beside the machines: where load balancers are. */
  beside(...argv: readonly string[]): Promise<string>;
  destroy(): Promise<void>;
}

/** Makes a cluster by kopsctl in what stands for Google, and machines of this computer for the instances that it wants. */
export async function gceCluster(
  prepared: Prepared,
  kubernetesVersion: string,
  assetsDir = ASSETS_DIR,
): Promise<GceCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-gce-vm-'));
  const local = { cluster: CLUSTER, dir: join(folder, 'local') };
  const cloud = openLocalCloud(local);
  const stops: (() => Promise<unknown>)[] = [() => cloud.shutdown()];
  const destroy = async (): Promise<void> => {
    for (const stop of stops.splice(0).toReversed()) await stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await mkdir(join(folder, 'unused'));
    const storeUrl = `file://${folder}/unused`;
    await cloud.ensureSupervisor({ networkCidr: '172.30.0.0/24', storeUrl, assetsDir });
    const holder = await livingHolder(clusterPaths(local.dir, CLUSTER));
    const netns = `/proc/${holder?.pid}/ns/net`;
    const beside = async (...argv: readonly string[]): Promise<string> =>
      (await execa('nsenter', [`--net=${netns}`, ...argv])).stdout;
    const google = await startGoogle(netns, {
      project: 'testproject',
      bucket: BUCKET,
      gateway: GATEWAY,
      assetsDir,
      kubernetesVersion,
      machines: local,
    });
    stops.push(() => google.stop());
    const files = await PublishedFiles.open(assetsDir, kubernetesVersion);
    await make({ folder, google, kubernetesVersion, netns, prepared, files });
    const machines = await google.ask({ ask: 'machines' });
    for (const machine of machines) await boot(machine, cloud, google);
    const on: GceCluster['on'] = async ({ name }, ...argv) => {
      const { exitCode, stdout, stderr } = await cloud.exec(name, argv);
      if (exitCode !== 0) throw new Error(`${argv.join(' ')} on ${name}: ${stderr || stdout}`);
      return stdout;
    };
    const objectsUrl = `http://${GATEWAY}:${PORTS.storage}/storage/v1/b/${BUCKET}/o`;
    return { google, machines, on, beside, objectsUrl, destroy };
  } catch (error) {
    await destroy();
    throw error;
  }
}

interface Making {
  readonly folder: string;
  readonly google: Google;
  readonly kubernetesVersion: string;
  readonly netns: string;
  readonly prepared: Prepared;
  readonly files: PublishedFiles;
}

/** What a person does: stores the cluster, and applies it. */
async function make({ folder, google, kubernetesVersion, netns, prepared, files }: Making): Promise<void> {
  const spec = join(folder, 'cluster.yaml');
  const wanted = readFileSync(join(import.meta.dirname, 'cluster.yaml'), 'utf8')
    .replace('  networking:\n', `  kubernetesVersion: ${kubernetesVersion}\n  networking:\n`)
    .replace('  containerd:\n', `  containerd:\n    version: ${files.versionOf('containerd')}\n`);
  await writeFile(spec, wanted);
  const env = {
    ...google.env,
    GCE_METADATA_HOST: `${GATEWAY}:${PORTS.metadata}`,
    KOPS_STATE_STORE: `gs://${BUCKET}`,
    KUBECONFIG: join(folder, 'kubeconfig'),
  };
  const kopsctl = (...argv: readonly string[]) =>
    execa('nsenter', [`--net=${netns}`, prepared.kopsctl, ...argv], { env });
  await kopsctl('create', '-f', spec);
  await google.ask({ ask: 'pin', cluster: CLUSTER });
  await kopsctl('update', 'cluster', CLUSTER, '--yes');
}

/** Boots a machine as Google would: from the user-data of its template, at an address of the subnet. */
async function boot(
  { name, path, isControlPlane, userData }: WantedMachine,
  cloud: LocalCloud,
  google: Google,
): Promise<void> {
  const { address } = await cloud.createMachine({
    name,
    nodeName: name,
    instanceGroup: 'gce',
    role: isControlPlane ? 'ControlPlane' : 'Node',
    zone: 'local',
    userData: onContainer(userData, google.env),
    tags: {},
  });
  await google.ask({ ask: 'place', path, address });
}
