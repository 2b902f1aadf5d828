import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLog } from '@kopsctl/agent/log.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { clientFiles, ensureCertificates } from '@kopsctl/etcd-manager/etcd/certificates.ts';
import { openEtcd, type EtcdClient, type EtcdStatus, type OpenEtcdClient } from '@kopsctl/etcd-manager/etcd/client.ts';
import type { TestEtcd } from '@kopsctl/test-peers/etcd.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { ensureKeyset } from '@kopsctl/pki/testing/ensure-keyset.ts';
import { parseJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { readOutcome, writeCommand, type CommandOutcome, type EtcdWish } from '@kopsctl/state-store/etcd/command.ts';
import { readStatuses, type MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { MANAGER } from './bundle-manager.ts';
import { openRoamingClient, type Endpoints } from './clients.ts';
import { isRunning, parseStarted } from './detached-units.ts';
import { failDisk, mountFailingDisk } from './failing-disk.ts';
import { machineNetwork, type MachineNetwork } from './machine-network.ts';
import type { ManagerSettings } from './manager-process.ts';
import { holdsLock } from './record-lock.ts';
import { fillDisk, freeDisk, mountSmallDisk, unmountSmallDisk } from './small-disk.ts';
import type { StoreHarm } from './store-harm.ts';
import { SOON_MS } from './waits.ts';

const CLUSTER = 'faults.example.com';
const BACKUP_PATH = `${CLUSTER}/backups/etcd/main`;
/** Short, so that tests see a dead member being replaced. */
const PATIENCE_SECONDS = 5;
/** An etcd without peers accepts connections but does not answer. */
const ANSWER_MS = 5_000;

export interface FaultClusterOptions {
  /** The number of machines. */
  readonly machines: number;
  /** How many of them form the cluster and are started at the beginning; all by default. */
  readonly first?: number;
  /** The versions of etcd on every machine. The spec wants the first one at the beginning. */
  readonly etcds: readonly [TestEtcd, ...TestEtcd[]];
  /** Settings of etcd and of the manager besides the settings that every test has; they take precedence. */
  readonly env?: Readonly<Record<string, string>>;
  /** Each volume is a disk of its own, which can be filled. */
  readonly hasSmallDisks?: boolean;
  /** Each volume is a disk of its own, which can be made to fail. */
  readonly hasFailingDisks?: boolean;
}

/** An etcd cluster on machines with networks of their own, whose managers and etcds are processes that a test can harm. */
export class FaultCluster {
  readonly network: MachineNetwork;
  readonly store: StateStore;
  readonly lines: string[] = [];
  /** The machines in the spec. */
  wanted: readonly number[];
  readonly #folder: string;
  readonly #options: FaultClusterOptions;
  readonly #managers: (ChildProcess | undefined)[] = [];
  /** Kept open: what a test waits for is asked ten times a second, and a TLS handshake costs both sides milliseconds. */
  readonly #clients = new Map<number, Promise<OpenEtcdClient>>();

  private constructor(folder: string, store: StateStore, network: MachineNetwork, options: FaultClusterOptions) {
    this.#folder = folder;
    this.#options = options;
    this.store = store;
    this.network = network;
    this.wanted = this.machines.slice(0, options.first ?? options.machines);
  }

  /** Creates the machines without booting them. */
  static async make(options: FaultClusterOptions): Promise<FaultCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'etcd-faults-'));
    const store = await openStore(`file://${join(folder, 'store')}`, process.env);
    const cluster = new FaultCluster(folder, store, await machineNetwork(options.machines), options);
    for (const name of ['etcd-peers-ca-main', 'etcd-clients-ca']) {
      const make = () => createCertificateAuthority({ commonName: name, nowMs: Date.now() });
      await ensureKeyset(store, CLUSTER, name, make);
    }
    const tester = { address: '127.0.0.1', member: 'tester' };
    const log = makeLog(() => undefined, false, 'tester');
    await ensureCertificates(cluster.#asker(), tester, { cluster: CLUSTER, store, log }, AbortSignal.timeout(30_000));
    return cluster;
  }

  /** Creates the machines and boots the wanted ones, all at once. */
  static async start(options: FaultClusterOptions): Promise<FaultCluster> {
    const cluster = await FaultCluster.make(options);
    await Promise.all(cluster.wanted.map((machine) => cluster.boot(machine)));
    return cluster;
  }

  get machines(): readonly number[] {
    return this.network.addresses.map((_, machine) => machine);
  }

  member(machine: number): string {
    return this.network.addresses[machine]?.split('.')[3] ?? '';
  }

  volume(machine: number): string {
    return join(this.#home(machine), 'volume');
  }

  #home(machine: number): string {
    return join(this.#folder, `machine-${machine}`);
  }

  #gapFile(machine: number): string {
    return join(this.#home(machine), 'pause-in-gap');
  }

  get #storeHarmFile(): string {
    return join(this.#folder, 'store-harm.json');
  }

  /** Attaches the volume and starts the machine's manager. */
  async boot(machine: number): Promise<void> {
    await this.mount(machine);
    const manifests = join(this.#home(machine), 'manifests');
    await mkdir(manifests, { recursive: true });
    await writeFile(join(manifests, 'kube-apiserver.manifest'), 'kind: Pod\n');
    await this.startManager(machine);
  }

  async mount(machine: number): Promise<void> {
    if (this.#options.hasSmallDisks === true) await mountSmallDisk(this.volume(machine));
    if (this.#options.hasFailingDisks === true) await mountFailingDisk(this.volume(machine));
    await mkdir(this.volume(machine), { recursive: true });
    const members = this.wanted.map((one) => this.member(one));
    const file = { member: this.member(machine), members, volumeId: `vol-${machine}` };
    await replaceFile(join(this.volume(machine), '.member'), JSON.stringify(file), { mode: 0o644 });
  }

  #config(machine: number): EtcdClusterConfig {
    const address = this.network.addresses[machine] ?? '';
    const [{ version, binDir }] = this.#options.etcds;
    return {
      name: 'main',
      mountPoint: this.volume(machine),
      members: this.wanted.map((one) => this.member(one)),
      memberHost: address.replace(/\d+$/, '<member>'),
      clientPort: 2379,
      peerPort: 2380,
      etcdVersion: version,
      binDir,
      binaries: this.#options.etcds,
      backupPath: BACKUP_PATH,
      peersCa: 'etcd-peers-ca-main',
      clientsCa: 'etcd-clients-ca',
      env: [
        { name: 'ETCD_LISTEN_CLIENT_URLS', value: `https://${address}:2379` },
        { name: 'ETCD_MANAGER_PATIENCE_SECONDS', value: String(PATIENCE_SECONDS) },
        // Two busy processors flush late. Elections because of that would say nothing about etcd-manager.
        { name: 'ETCD_HEARTBEAT_INTERVAL', value: '200' },
        { name: 'ETCD_ELECTION_TIMEOUT', value: '2000' },
        ...Object.entries(this.#options.env ?? {}).map(([name, value]) => ({ name, value })),
      ],
    };
  }

  /** The configuration of a machine, but with certificates of the test that no fault affects. */
  #asker(): EtcdClusterConfig {
    return { ...this.#config(0), mountPoint: join(this.#folder, 'tester') };
  }

  async startManager(machine: number): Promise<void> {
    const home = this.#home(machine);
    const settings: ManagerSettings = {
      cluster: CLUSTER,
      address: this.network.addresses[machine] ?? '',
      storeUrl: this.store.url,
      unitsFolder: join(home, 'units'),
      manifestsFolder: join(home, 'manifests'),
      config: this.#config(machine),
      storeHarmFile: this.#storeHarmFile,
      clockFile: join(home, 'clock'),
      gapFile: this.#gapFile(machine),
    };
    const file = join(home, 'settings.json');
    await writeFile(file, JSON.stringify(settings));
    const [program, ...args] = this.network.command(machine, process.execPath, MANAGER, file);
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#managers[machine] = child;
    const startMs = performance.now();
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
        this.lines.push(`${this.member(machine)}| ${seconds} ${line}`);
      });
    }
  }

  /** Sends a signal to a machine's manager. After SIGKILL it waits until the manager has exited. */
  async signalManager(machine: number, signal: NodeJS.Signals): Promise<void> {
    const child = this.#managers[machine];
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (signal === 'SIGSTOP') {
      await this.#stopUnlocked(machine, child);
      return;
    }
    if (signal !== 'SIGKILL') {
      child.kill(signal);
      return;
    }
    this.#managers[machine] = undefined;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Sends a signal to the etcd of a machine. Resolves with false if it does not run. */
  async signalEtcd(machine: number, signal: NodeJS.Signals): Promise<boolean> {
    const file = join(this.#home(machine), 'units', 'etcd-main.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) return false;
    const started = parseStarted(text);
    if (!(await isRunning(started))) return false;
    process.kill(started.pid, signal);
    return true;
  }

  /** The power of a machine fails. Its disk stays. */
  async powerOff(machine: number): Promise<void> {
    await this.signalManager(machine, 'SIGKILL');
    await this.signalEtcd(machine, 'SIGKILL');
  }

  /** Stops a manager while it does not hold the lock of the store. */
  async #stopUnlocked(machine: number, child: ChildProcess): Promise<void> {
    for (;;) {
      child.kill('SIGSTOP');
      await this.until('it is stopped', SOON_MS, () => this.isStopped(machine));
      if (child.pid === undefined || !(await holdsLock(child.pid))) return;
      child.kill('SIGCONT');
      await sleep(Math.random() * 20);
    }
  }

  /** The machine and its disk are gone. */
  async destroy(machine: number): Promise<void> {
    await this.powerOff(machine);
    await unmountSmallDisk(this.volume(machine));
    await rm(this.volume(machine), { recursive: true, force: true });
  }

  /** Overwrites a member's database with garbage. Its etcd must not run. */
  async corruptDatabase(machine: number): Promise<void> {
    for await (const path of glob(join(this.volume(machine), 'data/*/member/snap/db'))) {
      const file = await open(path, 'r+');
      try {
        const { size } = await file.stat();
        await file.write(Buffer.alloc(size, 0xee), 0, size, 0);
      } finally {
        await file.close();
      }
    }
  }

  /** Waits until everything written so far is in the databases of these members: etcd commits what it has acknowledged later. */
  async hasCommitted(machines: readonly number[]): Promise<void> {
    const client = await openRoamingClient(this.endpoints);
    // Commits follow each other, so the second of two later writes is on the disk only after the first is committed.
    for (const text of [randomUUID(), randomUUID()]) {
      await client.put('/committed').value(text);
      await this.until(`${text} on disks`, SOON_MS, async () => {
        const found = await Promise.all(machines.map((machine) => this.#replaceInDatabase(machine, text, text)));
        return found.every((count) => count > 0);
      });
    }
    client.close();
  }

  /**
   * Replaces a text in the database of a member by another one of the same length, as a disk or memory that errs would, while
   * its etcd runs or not. etcd has no checksums there, so only a comparison with other members finds it. The text has to be
   * committed already. Under load a commit on its way may write the old one once more, so this can be repeated.
   */
  async alterDatabase(machine: number, from: string, to: string): Promise<void> {
    const isAltered = await this.tryAlterDatabase(machine, from, to);
    if (!isAltered) throw new Error(`the disk of ${this.member(machine)} does not hold ${from}`);
  }

  /** The same, for a disk that may be erased meanwhile. @returns whether it holds either text */
  async tryAlterDatabase(machine: number, from: string, to: string): Promise<boolean> {
    if (from.length !== to.length) throw new Error('etcd would find a text of another length at once');
    // Until none is left: one that a commit has moved meanwhile is found by the next look.
    while ((await this.#replaceInDatabase(machine, from, to)) > 0);
    return (await this.#replaceInDatabase(machine, to, to)) > 0;
  }

  /** The same for every member at once, each with another text. */
  async alterDatabases(from: string, to: (machine: number) => string): Promise<void> {
    await Promise.all(this.machines.map((machine) => this.alterDatabase(machine, from, to(machine))));
  }

  /** @returns how often the text was there */
  async #replaceInDatabase(machine: number, from: string, to: string): Promise<number> {
    let found = 0;
    for await (const path of glob(join(this.volume(machine), 'data/*/member/snap/db'))) {
      await using file = await open(path, 'r+');
      const bytes = await file.readFile();
      for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) {
        // etcd may have put another page there since the file was read, and would not survive a hole in that one.
        const now = await file.read(Buffer.alloc(from.length), 0, from.length, at);
        if (now.buffer.toString() !== from) continue;
        if (to !== from) await file.write(Buffer.from(to), 0, to.length, at);
        found += 1;
      }
    }
    return found;
  }

  /** Makes everything in the store look as kops leaves it: its marker names no token, and nothing tells which members have served. */
  async forgetWhatKopsDoesNotKnow(): Promise<void> {
    const folder = join(this.#folder, 'store', BACKUP_PATH, 'control');
    await replaceFile(join(folder, 'etcd-cluster-created'), `{"timestamp":${Date.now()}000000}`, { mode: 0o644 });
    for (const path of ['members', 'status', 'versions.json', 'leader']) {
      await rm(join(folder, path), { recursive: true, force: true });
    }
  }

  /** What the managers say about their members. */
  statuses(): Promise<readonly MemberStatus[]> {
    return readStatuses(this.store, BACKUP_PATH);
  }

  /** The names of the finished backups in the store. */
  async backups(): Promise<readonly string[]> {
    return (await listBackups(this.store, BACKUP_PATH)).map(({ name }) => name);
  }

  /** Which of these backups are no longer there. */
  async lostBackups(before: readonly string[]): Promise<readonly string[]> {
    if (before.length === 0) throw new Error('there were no backups to lose');
    const now = await this.backups();
    return before.filter((name) => !now.includes(name));
  }

  /** Makes the volume of a machine read-only. */
  failDisk(machine: number): Promise<void> {
    return failDisk(this.volume(machine));
  }

  /** Replaces the volume by an empty disk, as after a power failure, and starts the manager again. */
  async emptyDisk(machine: number): Promise<void> {
    await this.powerOff(machine);
    await rm(this.volume(machine), { recursive: true, force: true });
    await this.mount(machine);
    await this.startManager(machine);
  }

  /** Cuts off the file that protokube wrote on the volume, until `mend`. */
  async tearMemberFile(machine: number): Promise<{ mend(): Promise<void> }> {
    const file = join(this.volume(machine), '.member');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, text.length / 2));
    return { mend: () => replaceFile(file, text, { mode: 0o644 }) };
  }

  /** Stops the manager (SIGSTOP) just before its next change, after it has seen that it still leads. */
  async armGap(machine: number): Promise<void> {
    await writeFile(this.#gapFile(machine), '');
  }

  /** Whether the machine's manager is stopped by a signal (proc(5)). */
  async isStopped(machine: number): Promise<boolean> {
    const pid = this.#managers[machine]?.pid;
    const stat = await readFile(`/proc/${pid ?? 0}/stat`, 'utf8').catch(() => '');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  }

  fillDisk(machine: number): Promise<void> {
    return fillDisk(this.volume(machine));
  }

  freeDisk(machine: number): Promise<void> {
    return freeDisk(this.volume(machine));
  }

  /** Makes the store of every manager misbehave from now on. */
  async harmStore(harm: StoreHarm): Promise<void> {
    await replaceFile(this.#storeHarmFile, JSON.stringify(harm), { mode: 0o644 });
  }

  /** Shifts the wall clock of a machine's manager from now on. */
  async moveClock(machine: number, offsetMs: number): Promise<void> {
    await replaceFile(join(this.#home(machine), 'clock'), String(offsetMs), { mode: 0o644 });
  }

  /** Waits for a file of the etcd cluster in the store, and cuts it off as a disk that lost its last block would. */
  async tearStore(path: string, withinMs: number): Promise<void> {
    const file = join(this.#folder, 'store', BACKUP_PATH, path);
    await this.until(`${path} in the store`, withinMs, () => existsSync(file));
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, text.length / 2));
  }

  /** Changes the spec in the store, as an edit of the cluster does. */
  async want(machines: readonly number[], etcdVersion = this.#options.etcds[0].version): Promise<void> {
    this.wanted = machines;
    const path = `${BACKUP_PATH}/control/etcd-cluster-spec`;
    const there = await this.store.read(path);
    const condition = ifUnchanged(there?.version);
    const spec = JSON.stringify({ memberCount: machines.length, etcdVersion });
    await this.store.write(path, Buffer.from(spec), condition);
  }

  /** Writes a command and waits for its outcome. */
  async command(wish: Exclude<EtcdWish, { action: 'unknown' }>, withinMs: number): Promise<CommandOutcome> {
    const name = await writeCommand(this.store, BACKUP_PATH, wish, Date.now());
    let outcome: CommandOutcome | undefined;
    await this.until(`the outcome of ${wish.action}`, withinMs, async () => {
      outcome = await readOutcome(this.store, BACKUP_PATH, name);
      return outcome !== undefined;
    });
    if (outcome === undefined) throw new Error('unreachable: there is an outcome');
    return outcome;
  }

  /** Has a backup taken. Resolves with its name, and throws with what the manager says if there is none. */
  async backup(): Promise<string> {
    const { result, message } = await this.command({ action: 'backup' }, SOON_MS);
    if (result !== 'done') throw new Error(`the backup: ${result}: ${message}`);
    return message.replace('saved ', '');
  }

  get endpoints(): Endpoints {
    return this.#endpointsOf(this.wanted);
  }

  #endpointsOf(machines: readonly number[]): Endpoints {
    const urls = machines.map((machine) => `https://${this.network.addresses[machine] ?? ''}:2379`);
    return { urls, files: clientFiles(this.#asker().mountPoint) };
  }

  /** Resolves with undefined when the etcd of a machine does not answer. */
  async #ask<T>(machine: number, question: (etcd: EtcdClient, signal: AbortSignal) => Promise<T>) {
    const { urls, files } = this.#endpointsOf([machine]);
    const client = this.#clients.get(machine) ?? openEtcd(urls[0] ?? '', files);
    this.#clients.set(machine, client);
    try {
      return await question(await client, AbortSignal.timeout(ANSWER_MS));
    } catch {
      // Others may be asking through it, too: only the caller that takes it out closes it.
      if (this.#clients.get(machine) === client) {
        this.#clients.delete(machine);
        (await client).close();
      }
      return undefined;
    }
  }

  status(machine: number): Promise<EtcdStatus | undefined> {
    return this.#ask(machine, (etcd, signal) => etcd.status(signal));
  }

  /** The names of the members that a machine's etcd lists. Learners are marked. */
  async members(machine: number): Promise<readonly string[] | undefined> {
    const members = await this.#ask(machine, (etcd, signal) => etcd.members(signal));
    return members?.map(({ name, isLearner }) => (isLearner ? `${name} (learner)` : name)).toSorted();
  }

  /** The voters by etcd's member ids, as the first member that answers lists them. A member that was replaced has another id. */
  async voters(): Promise<readonly string[]> {
    for (const machine of this.wanted) {
      const members = await this.#ask(machine, (etcd, signal) => etcd.members(signal));
      if (members !== undefined) return members.flatMap(({ id, isLearner }) => (isLearner ? [] : [id])).toSorted();
    }
    throw new Error('no member answers');
  }

  async leader(): Promise<number> {
    let leader: number | undefined;
    await this.until('a leader', 60_000, async () => {
      const all = await Promise.all(this.wanted.map((machine) => this.status(machine)));
      const found = all.findIndex((status) => status?.leaderId !== undefined && status.leaderId === status.memberId);
      leader = this.wanted[found];
      return leader !== undefined;
    });
    if (leader === undefined) throw new Error('unreachable: there is a leader');
    return leader;
  }

  /** The machine whose manager leads, by the lease in the store. */
  async leadingManager(): Promise<number> {
    let leading = -1;
    await this.until('a manager that leads', 60_000, async () => {
      const stored = await this.store.read(`${BACKUP_PATH}/control/leader`);
      const text = Buffer.from(stored?.bytes ?? []).toString();
      const holder = /"holder":\s*"([^"]+)"/.exec(text)?.[1];
      leading = this.machines.findIndex((machine) => this.member(machine) === holder);
      return leading >= 0;
    });
    return leading;
  }

  /** Waits until the lease in the store is another machine's: a manager says that it takes it before it has it. */
  async anotherLeads(than: number, withinMs: number): Promise<void> {
    await this.until(
      `another manager than ${this.member(than)} leads`,
      withinMs,
      async () => (await this.leadingManager()) !== than,
    );
  }

  /** The wanted machines except the etcd leader. */
  async followers(): Promise<readonly number[]> {
    const leader = await this.leader();
    return this.wanted.filter((machine) => machine !== leader);
  }

  /** Waits until the members are exactly the wanted machines, all have a vote, and all know the same leader. */
  async isWhole(withinMs: number): Promise<void> {
    const names = this.wanted.map((machine) => `etcd-${this.member(machine)}`).toSorted();
    await this.until('every member votes', withinMs, async () => {
      const all = await Promise.all(this.wanted.map((machine) => this.status(machine)));
      const leaders = new Set(all.map((status) => status?.leaderId));
      if (leaders.size !== 1 || leaders.has(undefined)) return false;
      const [first = 0] = this.wanted;
      return JSON.stringify(await this.members(first)) === JSON.stringify(names);
    });
  }

  /** Waits until the etcd of every wanted machine has this version. */
  async runs(version: string, withinMs: number): Promise<void> {
    await this.until(`every member runs ${version}`, withinMs, async () => {
      const all = await Promise.all(this.wanted.map((machine) => this.status(machine)));
      return all.every((status) => status?.version === version);
    });
  }

  /** The version of each etcd that answers. */
  async versions(): Promise<readonly string[]> {
    const all = await Promise.all(this.machines.map((machine) => this.status(machine)));
    return all.flatMap((status) => (status === undefined ? [] : [status.version]));
  }

  /** The store records which version each wanted machine runs. */
  async knowsVersions(): Promise<boolean> {
    const stored = await this.store.read(`${BACKUP_PATH}/control/versions.json`);
    const recorded = asRecord(stored && parseJson(stored.bytes));
    return this.wanted.every((machine) => this.member(machine) in recorded);
  }

  /** The cluster id that each member reports. */
  async clusterIds(): Promise<readonly string[]> {
    const all = await Promise.all(this.machines.map((machine) => this.status(machine)));
    return all.flatMap((status) => (status === undefined ? [] : [status.clusterId]));
  }

  /** A manager has logged a line with this text. @param from ignores earlier lines */
  hasSaid(text: string, from = 0): boolean {
    return this.lines.slice(from).some((line) => line.includes(text));
  }

  /** Waits until a manager has logged a line with this text. @param from ignores earlier lines */
  async says(text: string, withinMs: number, from = 0): Promise<void> {
    await this.until(`"${text}"`, withinMs, () => this.hasSaid(text, from));
  }

  /** Waits until the manager of one machine has logged a line with this text. */
  async saysOn(machine: number, text: string, withinMs: number, from = 0): Promise<void> {
    const isSaid = (line: string): boolean => line.startsWith(`${this.member(machine)}| `) && line.includes(text);
    await this.until(`"${text}" on ${this.member(machine)}`, withinMs, () => this.lines.slice(from).some(isSaid));
  }

  /**
   * Waits until as many members as are wanted vote, whichever machines they are on, and all know the same leader. From then on
   * those machines are the wanted ones.
   */
  async settles(withinMs: number): Promise<void> {
    const count = this.wanted.length;
    await this.until(`${count} members vote`, withinMs, async () => {
      const all = await Promise.all(this.machines.map((machine) => this.status(machine)));
      const well = this.machines.filter((machine) => all[machine]?.leaderId !== undefined);
      const [first] = well;
      if (first === undefined || well.length !== count) return false;
      if (new Set(well.map((machine) => all[machine]?.leaderId)).size !== 1) return false;
      const names = well.map((machine) => `etcd-${this.member(machine)}`).toSorted();
      if (JSON.stringify(await this.members(first)) !== JSON.stringify(names)) return false;
      this.wanted = well;
      return true;
    });
  }

  async until(what: string, withinMs: number, isTrue: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (!(await isTrue())) {
      if (performance.now() > deadline) throw new Error(`never: ${what}\n${this.lines.slice(-80).join('\n')}`);
      await sleep(100);
    }
  }

  async remove(): Promise<void> {
    for (const client of this.#clients.values()) (await client).close();
    for (const machine of this.machines) {
      await this.powerOff(machine);
      await unmountSmallDisk(this.volume(machine));
    }
    await this.network.remove();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
