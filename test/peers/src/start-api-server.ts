import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { createCertificateAuthority, createServiceAccountKeyset } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { primary } from '@kopsctl/pki/keyset.ts';
import { kubeClient } from '@kopsctl/kube/client.ts';
import { findTestEtcd } from './etcd.ts';
import { freePort } from './free-port.ts';
import { findPeer } from './provide.ts';

/** The programs of an API server. */
export interface ApiServerPrograms {
  readonly etcd: string;
  readonly apiServer: string;
  readonly kubectl: string;
}

/** Finds the programs. Returns undefined on a machine that cannot run them. */
export async function findApiServer(): Promise<ApiServerPrograms | undefined> {
  const [etcd, kubernetes] = [await findTestEtcd('3.4'), await findPeer('kubernetes-1.20')];
  if (etcd === undefined || kubernetes === undefined) return undefined;
  const program = (name: string) => join(kubernetes.root, name);
  return { etcd: join(etcd.binDir, 'etcd'), apiServer: program('kube-apiserver'), kubectl: program('kubectl') };
}

/** An API server to run tests of several Kubernetes versions against. */
export interface VersionedApiServer extends Pick<ApiServerPrograms, 'apiServer' | 'etcd'> {
  readonly version: string;
}

/**
 * Folders with the kube-apiserver of other Kubernetes versions, separated by colons. Where one has no etcd beside it, the
 * newest etcd is used.
 */
export const OTHER_VERSIONS = 'TEST_API_SERVERS';

/** Every API server that is at hand, oldest first: the peers, and those of the environment. */
export async function findApiServers(): Promise<readonly VersionedApiServer[]> {
  const oldest = await findApiServer();
  const [etcd, newest] = [await findPeer('etcd-3.6'), await findPeer('kubernetes-newest')];
  const folders = (process.env[OTHER_VERSIONS] ?? '').split(':').filter((folder) => folder !== '');
  const etcdIn = (folder: string): string => {
    const own = join(folder, 'etcd');
    return etcd === undefined || existsSync(own) ? own : join(etcd.root, 'etcd');
  };
  const programs = [
    ...(oldest === undefined ? [] : [oldest]),
    ...[...(newest === undefined ? [] : [newest.root]), ...folders].map((folder) => ({
      apiServer: join(folder, 'kube-apiserver'),
      etcd: etcdIn(folder),
    })),
  ];
  const found = await Promise.all(
    programs.map(async ({ apiServer, etcd: own }) => ({ apiServer, etcd: own, version: await versionOf(apiServer) })),
  );
  return found.toSorted((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

async function versionOf(apiServer: string): Promise<string> {
  const { stdout } = await execa(apiServer, ['--version']);
  const version = /^Kubernetes v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${apiServer} says of its version '${stdout}'`);
  return version;
}

export interface RealApiServer {
  /** Contains a client certificate of the group system:masters. */
  readonly kubeconfig: string;
  /** A kubeconfig with a client certificate of its own for a user. */
  kubeconfigOf(user: string, groups: readonly string[]): Promise<string>;
  /** The URL of its etcd, which authenticates nobody. */
  readonly etcdUrl: string;
  stop(): Promise<void>;
}

/** Starts a real API server on a real etcd, with further flags where a test is about them. */
export async function startApiServer(
  { etcd, apiServer }: Pick<ApiServerPrograms, 'apiServer' | 'etcd'>,
  flags: readonly string[] = [],
): Promise<RealApiServer> {
  const processes: ChildProcess[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'protokube-kube-'));
  const start = async (binary: string, args: readonly string[]): Promise<void> => {
    await using log = await open(join(folder, 'servers.log'), 'a');
    const child = spawn(binary, args, { stdio: ['ignore', log.fd, log.fd] });
    processes.push(child);
    await once(child, 'spawn');
  };
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs });
  const serviceAccount = primary(await createServiceAccountKeyset({ nowMs }));
  const server = await issueLeaf({
    authority,
    commonName: 'kube-apiserver',
    ipAddresses: ['127.0.0.1'],
    usages: ['server'],
    validityDays: 1,
    nowMs,
  });
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const ca = await write('ca.crt', primary(authority).certificatePem);
  const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  await start(etcd, [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
  ]);
  const signingKey = await write('sa.key', serviceAccount.privateKeyPem);
  await start(apiServer, [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${apiPort}`,
    `--client-ca-file=${ca}`,
    `--tls-cert-file=${await write('server.crt', server.certificatePem)}`,
    `--tls-private-key-file=${await write('server.key', server.privateKeyPem)}`,
    `--service-account-key-file=${await write('sa.crt', serviceAccount.certificatePem)}`,
    `--service-account-signing-key-file=${signingKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=100.64.0.0/16',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--enable-bootstrap-token-auth',
    '--allow-privileged',
    ...flags,
  ]);
  let issued = 0;
  const kubeconfigOf = async (user: string, groups: readonly string[]): Promise<string> => {
    const leaf = {
      authority,
      commonName: user,
      organizations: groups,
      usages: ['client'],
      validityDays: 1,
      nowMs,
    } as const;
    const { certificatePem, privateKeyPem } = await issueLeaf(leaf);
    issued += 1;
    const cert = await write(`client-${issued}.crt`, certificatePem);
    const key = await write(`client-${issued}.key`, privateKeyPem);
    return write(
      `kubeconfig-${issued}`,
      `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://127.0.0.1:${apiPort}", certificate-authority: "${ca}"}}]
users: [{name: u, user: {client-certificate: "${cert}", client-key: "${key}"}}]
`,
    );
  };
  const kubeconfig = await kubeconfigOf('protokube', ['system:masters']);
  const kube = kubeClient(kubeconfig);
  const deadline = performance.now() + 60_000;
  const isReady = (): Promise<boolean> =>
    kube.get('/api/v1/namespaces/default', AbortSignal.timeout(2000)).then(
      (found) => found !== undefined,
      () => false,
    );
  while (!(await isReady())) {
    const hasEnded = processes.some(({ exitCode }) => exitCode !== null);
    if (hasEnded || performance.now() > deadline) {
      throw new Error(
        `the API server did not start:\n${(await readFile(join(folder, 'servers.log'), 'utf8')).slice(-2000)}`,
      );
    }
    await sleep(200);
  }
  return {
    kubeconfig,
    kubeconfigOf,
    etcdUrl,
    async stop() {
      for (const child of processes.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
