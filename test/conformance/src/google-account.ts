import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { createGcsStore } from '@kopsctl/state-store/gcs/gcs-store.ts';
import { execa } from 'execa';
import { metadataOf, serveGceMetadata } from './gce-machine.ts';
import { startGcs } from './gcs-server.ts';
import { type GoogleServer, startGoogle } from './google-server.ts';
import { cli, recordedFolder } from './recorded-cases.ts';

const PROJECT = 'testproject';
const BUCKET = 'kops-state';

/** A project at a test server for Google, with a bucket that holds the state store. */
export interface GoogleAccount {
  readonly google: GoogleServer;
  /** A recorded spec, copied so that it can be applied, with a change. */
  spec(name: string, change?: (text: string) => string): string;
  /** Writes a file beside those. @returns its path */
  write(name: string, text: string): string;
  /** Adds an annotation to a cluster in such a copy. */
  annotate(spec: string, name: string, value: string): void;
  /** What the bucket holds at a path. */
  stored(path: string): Promise<string | undefined>;
  /** Runs the program against the account. */
  kopsctl(argv: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  /** Runs the program, and kills it after its so manieth change of the cloud. @returns whether it was still running */
  killedAfter(changes: number, argv: readonly string[]): Promise<boolean>;
  /** Records made-up hashes of what the machines of a stored cluster download. */
  makeUpHashes(cluster: string): Promise<void>;
  /** Every resource, account and membership that exists. */
  remains(): readonly string[];
  close(): Promise<void>;
}

const run = (argv: readonly string[], env: Readonly<Record<string, string>>) =>
  execa(cli[0], [cli[1], ...argv], { reject: false, env });

export async function openGoogleAccount(): Promise<GoogleAccount> {
  const [google, gcs] = await Promise.all([startGoogle(), startGcs()]);
  google.policies.buckets.set(BUCKET, { isUniform: true });
  // The program is on a machine of Google, whose account may do everything.
  const machine = { project: PROJECT, zone: 'us-test1-a', name: 'operator', address: '10.0.0.2', token: 'token' };
  const metadata = await serveGceMetadata(metadataOf(machine));
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-gce-'));
  await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
  const store = createGcsStore(`gs://${BUCKET}`, { endpoint: gcs.endpoint });
  const env = {
    GCE_METADATA_HOST: metadata.url.replace('http://', ''),
    STORAGE_EMULATOR_HOST: gcs.endpoint,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: `${google.url}/compute/v1`,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_IAM: google.url,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER: google.url,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE: google.url,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: google.url,
    KOPS_STATE_STORE: `gs://${BUCKET}`,
    KUBECONFIG: join(folder, 'kubeconfig'),
  };
  const pinned = new Set<string>();
  const start = (argv: readonly string[]) => run(argv, env);

  return {
    google,
    async killedAfter(changes, argv) {
      google.changes.length = 0;
      const running = start(argv);
      google.onChange(() => void (google.changes.length === changes && running.kill('SIGKILL')));
      const { signal } = await running;
      return signal === 'SIGKILL';
    },
    async makeUpHashes(cluster) {
      await makeUpHashes(store, cluster);
      pinned.add(cluster);
    },
    spec(name, change = (one) => one) {
      const text = readFileSync(join(recordedFolder, 'update_cluster', name, 'in-v1alpha2.yaml'), 'utf8')
        .replaceAll(/configBase: memfs:\/\/[^/]+\//g, `configBase: gs://${BUCKET}/`)
        // It has a label that Google takes from nobody.
        .replace('testCloudLabel:', 'test-cloud-label:');
      const path = join(folder, `${name}.yaml`);
      writeFileSync(path, change(text));
      return path;
    },
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    annotate(path, name, value) {
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace(/(kind: Cluster\nmetadata:\n)/, `$1  annotations:\n    ${name}: ${value}\n`));
    },
    async stored(path) {
      const found = await store.read(path);
      return found && Buffer.from(found.bytes).toString('utf8');
    },
    async kopsctl(argv) {
      const [verb, kind, cluster] = argv;
      const isUpdate = verb === 'update' && kind === 'cluster' && cluster !== undefined;
      if (isUpdate && !pinned.has(cluster)) await makeUpHashes(store, cluster);
      const { exitCode, stdout, stderr } = await start(argv);
      return { exitCode: exitCode ?? -1, stdout, stderr };
    },
    remains: () => [
      ...google.compute.resources.keys(),
      ...google.policies.accounts.keys(),
      ...[...google.policies.policies].flatMap(([owner, { bindings }]) =>
        bindings.flatMap(({ role, members }) => members.map((member) => `${role} of ${member} in ${owner}`)),
      ),
    ],
    async close() {
      await Promise.all([google.stop(), gcs.stop(), metadata.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
