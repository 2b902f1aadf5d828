import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { openNodeDns } from '@kopsctl/clouds/node.ts';
import { ownerOfCluster } from '@kopsctl/dns/owner-mark.ts';
import { reconcileDns } from '@kopsctl/dns/reconcile-dns.ts';
import { createGcsStore } from '@kopsctl/state-store/gcs/gcs-store.ts';
import { execa } from 'execa';
import { expect } from 'vitest';
import { metadataOf, serveGceMetadata } from './gce-machine.ts';
import { startGcs } from './gcs-server.ts';
import { type GoogleServer, startGoogle } from './google-server.ts';
import { cli, recordedFolder } from './recorded-cases.ts';
import { type Ran, runCli } from './warm-cli.ts';

const PROJECT = 'testproject';
const BUCKET = 'kops-state';
/** The domain of the recorded clusters. */
const DOMAIN = 'example.com';

/** A project at a test server for Google, with a bucket that holds the state store. */
export interface GoogleAccount {
  readonly google: GoogleServer;
  /** For files of a test. */
  readonly folder: string;
  /** What programs find it by. */
  readonly env: Readonly<Record<string, string>>;
  /** Which of its servers answers what a program asks of Google's hosts, for a program that cannot be told of other hosts. */
  readonly forwarding: (host: string, path: string) => string | undefined;
  /** A recorded spec, copied so that it can be applied, with a change. */
  spec(name: string, change?: (text: string) => string): string;
  /** Writes a file beside those. @returns its path */
  write(name: string, text: string): string;
  /** Adds an annotation to a cluster in such a copy. */
  annotate(spec: string, name: string, value: string): void;
  /** Everything that the bucket holds, by path. */
  objects(): Promise<ReadonlyMap<string, string>>;
  /** What the bucket holds at a path. */
  stored(path: string): Promise<string | undefined>;
  /** Puts something there, where nothing is. */
  store(path: string, text: string): Promise<void>;
  /** Stores the spec of a recorded cluster, perhaps with a change. @returns its name */
  create(name: string, change?: (text: string) => string): Promise<string>;
  /** Runs the program against the account, and expects that it succeeds. @returns what it printed */
  succeeds(...argv: readonly string[]): Promise<string>;
  /** Makes the names of a cluster in the domain, as its control planes do. */
  publishNames(cluster: string): Promise<void>;
  /** Runs the program against the account. */
  kopsctl(argv: readonly string[]): Promise<Ran>;
  /** Runs the program, and kills it after this many changes of the cloud. @returns whether it was still running */
  killedAfter(changes: number, argv: readonly string[]): Promise<boolean>;
  /** Records made-up hashes of what the machines of a stored cluster download. */
  makeUpHashes(cluster: string): Promise<void>;
  /** Every resource, account, membership and DNS record that exists, except what a domain has of itself. */
  remains(): readonly string[];
  close(): Promise<void>;
}

export async function openGoogleAccount(): Promise<GoogleAccount> {
  const [google, gcs] = await Promise.all([startGoogle(), startGcs()]);
  google.policies.buckets.set(BUCKET, { isUniform: true });
  const soa = { name: `${DOMAIN}.`, type: 'SOA', ttl: 21_600, rrdatas: ['ns.example.com. a. 1 2 3 4 5'] };
  google.dns.zones.push({ name: 'example-com', dnsName: `${DOMAIN}.`, rrsets: [soa] });
  // The program runs on a machine of Google, whose account may do everything.
  const machine = { project: PROJECT, zone: 'us-test1-a', name: 'operator', address: '10.0.0.2', token: 'token' };
  const metadata = await serveGceMetadata(metadataOf(machine));
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-gce-'));
  await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
  const store = createGcsStore(`gs://${BUCKET}`, { endpoint: gcs.endpoint });
  const env = {
    GCE_METADATA_HOST: metadata.url.replace('http://', ''),
    STORAGE_EMULATOR_HOST: gcs.endpoint,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: `${google.url}/compute/v1`,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_DNS: `${google.url}/dns/v1`,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_IAM: google.url,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER: google.url,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE: google.url,
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: google.url,
    KOPS_STATE_STORE: `gs://${BUCKET}`,
    KUBECONFIG: join(folder, 'kubeconfig'),
  };
  const pinned = new Set<string>();
  const specOf = (name: string, change: (text: string) => string = (one) => one): string => {
    const text = readFileSync(join(recordedFolder, 'update_cluster', name, 'in-v1alpha2.yaml'), 'utf8')
      .replaceAll(/configBase: memfs:\/\/[^/]+\//g, `configBase: gs://${BUCKET}/`)
      // It has a label that Google accepts from nobody.
      .replace('testCloudLabel:', 'test-cloud-label:');
    const path = join(folder, `${name}.yaml`);
    writeFileSync(path, change(text));
    return path;
  };
  const kopsctl: GoogleAccount['kopsctl'] = async (argv) => {
    const [verb, kind, cluster] = argv;
    const isUpdate = (verb === 'update' && kind === 'cluster') || verb === 'adopt';
    const named = verb === 'adopt' ? kind : cluster;
    if (isUpdate && named !== undefined && !pinned.has(named)) await makeUpHashes(store, named);
    return runCli(argv, env);
  };
  const stored = async (path: string): Promise<string | undefined> => {
    const found = await store.read(path);
    return found && Buffer.from(found.bytes).toString('utf8');
  };
  const succeeds: GoogleAccount['succeeds'] = async (...argv) => {
    const ended = await kopsctl(argv);
    expect(ended.exitCode, `${argv.join(' ')}\n${ended.stdout}\n${ended.stderr}`).toBe(0);
    return ended.stdout;
  };

  return {
    google,
    folder,
    env,
    forwarding: (host, path) => {
      // kops asks who it is only to report it.
      if (!host.endsWith('.googleapis.com') || path.startsWith('/oauth2/')) return undefined;
      if (!host.startsWith('storage.')) return google.url;
      const isObject = /^\/(?:upload\/|download\/)?storage\/v1\/b\/[^/]+\/o(?:[/?]|$)/.test(path);
      return isObject ? gcs.endpoint : path.startsWith('/storage/v1/') ? google.url : undefined;
    },
    spec: specOf,
    kopsctl,
    succeeds,
    async create(name, change) {
      const spec = specOf(name, change);
      await succeeds('create', '-f', spec);
      return clusterIn(readFileSync(spec, 'utf8'));
    },
    async publishNames(cluster) {
      const signal = AbortSignal.timeout(30_000);
      const provider = { name: 'CloudDNS', isPrivate: false } as const;
      const opened = await openNodeDns(
        'gce',
        { kubeconfig: '', zone: DOMAIN, provider, isIpv6Only: false },
        { env, readSecret: () => Promise.reject(new Error('no secret is needed')), signal },
      );
      const names = ['api', 'api.internal', 'kops-controller.internal', 'etcd-a.internal', 'www'];
      const wanted = names.map((name) => ({
        name: `${name}.${cluster}`,
        type: 'A' as const,
        ttlSeconds: 60,
        values: ['10.0.16.2'],
      }));
      await reconcileDns(opened, { clusterName: cluster, owner: ownerOfCluster(cluster), wanted }, signal);
    },
    async store(path, text) {
      await store.write(path, new TextEncoder().encode(text), { ifAbsent: true });
    },
    async killedAfter(changes, argv) {
      google.changes.length = 0;
      const running = execa(cli[0], [cli[1], ...argv], { reject: false, env });
      google.onChange(() => void (google.changes.length === changes && running.kill('SIGKILL')));
      const { signal } = await running;
      return signal === 'SIGKILL';
    },
    async makeUpHashes(cluster) {
      await makeUpHashes(store, cluster);
      pinned.add(cluster);
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
    async objects() {
      const read = (await store.list('')).map(async ({ path }) => [path, (await stored(path)) ?? ''] as const);
      return new Map(await Promise.all(read));
    },
    stored,
    remains: () => [
      ...google.compute.resources.keys(),
      ...google.policies.accounts.keys(),
      ...google.dns.zones.flatMap(({ name: zone, rrsets }) =>
        rrsets.filter(({ type }) => type !== 'SOA').map(({ name, type }) => `${type} ${name} in ${zone}`),
      ),
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

/** The name of the cluster in a spec. */
export const clusterIn = (spec: string): string =>
  /kind: Cluster\nmetadata:[\s\S]*?\n {2}name: (\S+)/.exec(spec)?.[1] ?? '';
