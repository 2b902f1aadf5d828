import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { makeLog } from '@kopsctl/agent/log.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { ensureKeyset } from '@kopsctl/pki/testing/ensure-keyset.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { clientFiles } from '../src/etcd/certificates.ts';
import { clientUrl } from '../src/etcd/settings.ts';
import type { ClusterMetrics } from '../src/metrics/manager-metrics.ts';
import { runEtcdCluster } from '../src/run-etcd-cluster.ts';
import { childUnits, type ChildUnits } from '../src/units/testing/child-units.ts';
import { staticPodApiServer } from '@kopsctl/agent/api-server.ts';

export const TEST_CLUSTER = 'demo.example.com';

/** Part of the line that a manager logs when its etcd serves and nothing is left to do. */
export const SERVING = 'summary=serving';

/** A store with the certificate authorities of an etcd cluster, for machines to share. */
export async function testStore(): Promise<StateStore> {
  const store = createMemoryStore();
  for (const name of ['etcd-peers-ca-main', 'etcd-clients-ca']) {
    const create = () => createCertificateAuthority({ commonName: name, nowMs: Date.now() });
    await ensureKeyset(store, TEST_CLUSTER, name, create);
  }
  return store;
}

/** A control-plane machine with a loopback address, volume and etcd of its own, whose API server is just a manifest. */
export class TestMachine {
  config: EtcdClusterConfig;
  readonly address: string;
  readonly member: string;
  readonly lines: string[] = [];
  readonly manifest: string;
  /** Called for each line that the manager logs. */
  onLine: (line: string) => void = () => undefined;
  readonly #units: ChildUnits;
  readonly #folder: string;
  #manager: { readonly ended: AbortController; readonly done: Promise<unknown> } | undefined;

  constructor(
    folder: string,
    member: string,
    members: readonly string[],
    etcd: { readonly binDir: string; readonly version: string; readonly clientPort: number; readonly peerPort: number },
    { isIpv6Only = false }: { readonly isIpv6Only?: boolean } = {},
  ) {
    // The member's "host name" is an address, so that nothing has to be written to /etc/hosts. Of IPv6, loopback has only ::1.
    const memberHost = isIpv6Only ? '::<member>' : '127.0.0.<member>';
    this.member = member;
    this.address = memberHost.replace('<member>', member);
    this.manifest = join(folder, 'manifests', 'kube-apiserver.manifest');
    this.#folder = folder;
    this.#units = childUnits((name) => join(folder, `${name}.log`));
    this.config = {
      name: 'main',
      mountPoint: join(folder, 'volume'),
      members,
      memberHost,
      clientPort: etcd.clientPort,
      peerPort: etcd.peerPort,
      etcdVersion: etcd.version,
      binDir: etcd.binDir,
      backupPath: `${TEST_CLUSTER}/backups/etcd/main`,
      peersCa: 'etcd-peers-ca-main',
      clientsCa: 'etcd-clients-ca',
      // All machines of the test share 127.0.0.1, so each listens only on its own address.
      env: isIpv6Only ? [] : [{ name: 'ETCD_LISTEN_CLIENT_URLS', value: `https://${this.address}:${etcd.clientPort}` }],
    };
  }

  changeEtcd(etcd: { readonly binDir: string; readonly version: string }): void {
    this.config = { ...this.config, binDir: etcd.binDir, etcdVersion: etcd.version };
  }

  async boot(store: StateStore, metrics?: ClusterMetrics): Promise<void> {
    const { mountPoint, members } = this.config;
    await mkdir(mountPoint, { recursive: true });
    const file = { member: this.member, members, volumeId: `vol-${this.member}` };
    await replaceFile(join(mountPoint, '.member'), JSON.stringify(file), { mode: 0o644 });
    await mkdir(join(this.#folder, 'manifests'), { recursive: true });
    await writeFile(this.manifest, 'kind: Pod\n');
    this.startManager(store, metrics);
  }

  startManager(store: StateStore, metrics?: ClusterMetrics): void {
    const ended = new AbortController();
    const log = makeLog(
      (line) => {
        this.lines.push(line);
        this.onLine(line);
      },
      true,
      'etcd-manager main',
    );
    const env = {
      cluster: TEST_CLUSTER,
      address: this.address,
      store,
      units: this.#units,
      log,
      ...(metrics && { metrics }),
      apiServer: staticPodApiServer({
        manifest: this.manifest,
        heldFolder: join(this.#folder, 'held'),
        // The API server runs exactly while its manifest exists, as under kubelet.
        processNames: () => Promise.resolve(existsSync(this.manifest) ? ['kube-apiserver'] : []),
      }),
    };
    const done = runEtcdCluster(this.config, env, ended.signal);
    this.#manager = { ended, done };
  }

  async stopManager(): Promise<void> {
    this.#manager?.ended.abort();
    await this.#manager?.done;
  }

  /** The power fails. */
  async end(): Promise<void> {
    await this.stopManager();
    await this.#units.stop('etcd-main', 'SIGKILL');
  }

  async wipe(): Promise<void> {
    await rm(this.config.mountPoint, { recursive: true });
  }

  async etcdctl(...args: readonly string[]): Promise<string> {
    const { ca, cert, key } = clientFiles(this.config.mountPoint);
    const endpoint = clientUrl(this.config, this.address);
    const { stdout } = await execa(
      join(this.config.binDir, 'etcdctl'),
      [`--endpoints=${endpoint}`, `--cacert=${ca}`, `--cert=${cert}`, `--key=${key}`, ...args],
      { env: { ETCDCTL_API: '3' } },
    );
    return stdout;
  }

  async revision(): Promise<number> {
    const found = asRecord(JSON.parse(await this.etcdctl('get', 'nothing', '-w', 'json')));
    const { revision } = asRecord(found['header']);
    if (typeof revision !== 'number') throw new Error('etcdctl printed no revision');
    return revision;
  }

  /** Waits until a line contains the text, or until the condition holds. @throws after 90 seconds */
  async until(condition: string | (() => boolean | Promise<boolean>)): Promise<void> {
    const holds = typeof condition === 'string' ? () => this.lines.some((line) => line.includes(condition)) : condition;
    const deadline = performance.now() + 90_000;
    while (!(await holds())) {
      if (performance.now() > deadline) {
        const etcd = await readFile(join(this.#folder, 'etcd-main.log'), 'utf8').catch(() => 'nothing');
        throw new Error(
          `${this.member}: ${String(condition)} never held:\n${this.lines.join('')}\n${etcd.slice(-3000)}`,
        );
      }
      await sleep(50);
    }
  }
}
