import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import { describe, expect, test, type TestContext } from 'vitest';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { describeBackup, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { takeBackup } from './backup/take-backup.ts';
import { clientFiles } from './etcd/certificates.ts';
import { openEtcd } from './etcd/client.ts';
import { makeLog } from '@kopsctl/agent/log.ts';
import type { ApiServer } from '@kopsctl/agent/api-server.ts';
import { findTestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { freeEtcdPorts } from '@kopsctl/test-peers/free-port.ts';
import { SERVING, TEST_CLUSTER, testStore } from '../testing/machine.ts';
import { runEtcdCluster } from './run-etcd-cluster.ts';
import { childUnits, type ChildUnits } from './units/testing/child-units.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';

const etcd = await findTestEtcd('3.4');
const newer = await findTestEtcd('3.5');
const { version, binDir } = etcd ?? { version: '', binDir: '' };

/** A control-plane machine with a loopback address, volume and units of its own. */
class Machine {
  readonly config: EtcdClusterConfig & {
    readonly members: string[];
    readonly env: { name: string; value: string }[];
    readonly binaries: { version: string; binDir: string }[];
  };
  readonly lines: string[] = [];
  readonly units: ChildUnits;
  readonly address: string;
  readonly member: string;
  #manager: { readonly ended: AbortController; readonly done: Promise<void> } | undefined;

  constructor(folder: string, member: string, members: string[], ports: { clientPort: number; peerPort: number }) {
    const listen = `https://127.0.0.${member}:${ports.clientPort}`;
    this.member = member;
    // The member's "host name" is an address, so that nothing has to be written to /etc/hosts.
    this.address = `127.0.0.${member}`;
    this.units = childUnits((name) => join(folder, `${name}.log`));
    this.config = {
      name: 'main',
      mountPoint: join(folder, 'volume'),
      members,
      memberHost: '127.0.0.<member>',
      ...ports,
      etcdVersion: '3.4.23',
      binDir,
      binaries: [{ version, binDir }],
      backupPath: `${TEST_CLUSTER}/backups/etcd/main`,
      peersCa: 'etcd-peers-ca-main',
      clientsCa: 'etcd-clients-ca',
      // All machines of the test share 127.0.0.1, so each listens only on its own address.
      env: [{ name: 'ETCD_LISTEN_CLIENT_URLS', value: listen }],
    };
  }

  async mount(): Promise<void> {
    const { mountPoint, members } = this.config;
    await mkdir(mountPoint, { recursive: true });
    const file = { member: this.member, members, volumeId: `vol-${this.member}` };
    await replaceFile(join(mountPoint, '.member'), JSON.stringify(file), { mode: 0o644 });
  }

  startManager(store: StateStore): void {
    const ended = new AbortController();
    const log = makeLog((line) => this.lines.push(line), true, 'etcd-manager main');
    const apiServer: ApiServer = {
      observe: async () => ({ hold: 'none', hasEnded: true }),
      hold: async () => undefined,
      release: async () => undefined,
    };
    const env = { cluster: TEST_CLUSTER, address: this.address, store, units: this.units, apiServer, log };
    const done = runEtcdCluster(this.config, env, ended.signal);
    this.#manager = { ended, done };
  }

  async stopManager(): Promise<void> {
    this.#manager?.ended.abort();
    await this.#manager?.done;
  }

  async end(): Promise<void> {
    await this.stopManager();
    await this.units.stop('etcd-main', 'SIGKILL');
  }

  async etcdctl(...args: readonly string[]): Promise<string> {
    const { ca, cert, key } = clientFiles(this.config.mountPoint);
    const endpoint = `https://${this.address}:${this.config.clientPort}`;
    const { stdout } = await execa(
      join(binDir, 'etcdctl'),
      [`--endpoints=${endpoint}`, `--cacert=${ca}`, `--cert=${cert}`, `--key=${key}`, ...args],
      { env: { ETCDCTL_API: '3' } },
    );
    return stdout;
  }

  async until(text: string): Promise<void> {
    const deadline = performance.now() + 180_000;
    while (!this.lines.some((line) => line.includes(text))) {
      if (performance.now() > deadline)
        throw new Error(`${this.member} never logged "${text}":\n${this.lines.join('')}`);
      await sleep(50);
    }
  }
}

/** Machines that share a store and end with the test. Some tests mostly wait, so they run concurrently. */
async function cluster(
  onFinished: TestContext['onTestFinished'],
  ...members: readonly string[]
): Promise<{ readonly store: StateStore; readonly machines: readonly Machine[] }> {
  const store = await testStore();
  const ports = await freeEtcdPorts();
  const machines: Machine[] = [];
  for (const member of members) {
    const folder = await mkdtemp(join(tmpdir(), 'etcd-manager-'));
    const machine = new Machine(folder, member, [...members], ports);
    machines.push(machine);
    onFinished(async () => {
      await machine.end();
      await rm(folder, { recursive: true, force: true });
    });
  }
  return { store, machines };
}

/** Writes the spec that control writes when a person edits the cluster. */
async function want(store: StateStore, backupPath: string, memberCount: number, etcdVersion = '3.4.23'): Promise<void> {
  const path = `${backupPath}/control/etcd-cluster-spec`;
  const there = await store.read(path);
  const condition = ifUnchanged(there?.version);
  await store.write(path, Buffer.from(JSON.stringify({ memberCount, etcdVersion })), condition);
}

async function repeat(times: number, action: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < times; count++) await action();
}

async function waitFor(what: string, machines: readonly Machine[], isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 240_000;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > deadline) {
      throw new Error(`never: ${what}\n${machines.map(({ lines }) => lines.join('')).join('\n--\n')}`);
    }
    await sleep(200);
  }
}

describe.skipIf(etcd === undefined)('with real etcd', () => {
  test('one member forms a cluster, keeps its data when manager and etcd restart, and is backed up in the form of kops', async ({
    onTestFinished,
  }) => {
    const { store, machines } = await cluster(onTestFinished, '11');
    const [one] = machines;
    if (one === undefined) throw new Error('there is a machine');
    one.startManager(store);
    await one.until('wait for the volume to be mounted');
    await one.mount();
    await one.until(SERVING);
    await one.etcdctl('put', 'key', 'value');

    await one.stopManager();
    expect(await one.etcdctl('get', 'key', '--print-value-only')).toBe('value');

    await one.units.stop('etcd-main');
    one.lines.length = 0;
    one.startManager(store);
    await one.until(SERVING);
    expect(one.lines.join('')).toContain('start etcd-11: it was stopped');
    expect(await one.etcdctl('get', 'key', '--print-value-only')).toBe('value');

    const { name } = await takeBackup(
      one.config,
      { member: one.member, memberCount: 1, reason: 'test' },
      {
        cluster: TEST_CLUSTER,
        address: one.address,
        store,
        log: makeLog((line) => one.lines.push(line), true, 'backup'),
      },
      AbortSignal.timeout(30_000),
    );
    const place = `${one.config.backupPath}/${name}`;
    const meta = await store.read(`${place}/_etcd_backup.meta`);
    expect(JSON.parse(Buffer.from(meta?.bytes ?? []).toString())).toEqual({
      etcdVersion: '3.4.23',
      timestamp: expect.stringMatching(/^\d{10}$/),
      clusterSpec: { memberCount: 1, etcdVersion: '3.4.23' },
    });
    const data = await store.read(`${place}/etcd.backup.gz`);
    const snapshot = join(one.config.mountPoint, 'check.db');
    await writeFile(snapshot, gunzipSync(data?.bytes ?? new Uint8Array()));
    expect(await one.etcdctl('snapshot', 'status', snapshot)).toMatch(/^[0-9a-f]+, \d+, \d+, /);
  });

  test('three members that start at once form one cluster, and a member that loses its disk is replaced', async ({
    onTestFinished,
  }) => {
    const { store, machines } = await cluster(onTestFinished, '11', '12', '13');
    const [first, second, third] = machines;
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are machines');
    await Promise.all(machines.map((machine) => machine.mount()));
    for (const machine of machines) machine.startManager(store);
    await Promise.all(machines.map((machine) => machine.until(SERVING)));
    await first.etcdctl('put', 'key', 'value');
    expect(await third.etcdctl('get', 'key', '--print-value-only')).toBe('value');
    expect((await first.etcdctl('member', 'list')).split('\n')).toHaveLength(3);

    await third.end();
    await rm(third.config.mountPoint, { recursive: true });
    await third.mount();
    third.lines.length = 0;
    third.startManager(store);
    await third.until(SERVING);
    // Only the manager that leads logs this.
    const isSaid = async (text: string) => machines.some(({ lines }) => lines.some((line) => line.includes(text)));
    for (const text of ['remove 13 to add it again: its data is gone', 'give 13 a vote']) {
      await waitFor(text, machines, () => isSaid(text));
    }
    expect(await third.etcdctl('get', 'key', '--print-value-only')).toBe('value');
    expect((await first.etcdctl('member', 'list')).split('\n')).toHaveLength(3);
  });

  test.concurrent('a cluster grows from one member to three and five, shrinks to three, and loses no write', async ({
    onTestFinished,
  }) => {
    const { store, machines } = await cluster(onTestFinished, '11', '12', '13', '14', '15');
    const [first] = machines;
    if (first === undefined) throw new Error('there are machines');
    const count = (memberCount: number) => want(store, first.config.backupPath, memberCount);
    const size = async () =>
      (await first.etcdctl('member', 'list')).split('\n').filter((line) => line.includes('started'));
    await count(1);
    first.config.members.splice(0, 5, '11');
    await first.mount();
    first.startManager(store);
    await first.until(SERVING);
    await first.etcdctl('put', 'key', 'value');

    await count(3);
    for (const machine of machines.slice(1, 3)) {
      await machine.mount();
      machine.startManager(store);
    }
    await waitFor(
      'three members vote',
      machines,
      async () => (await size()).filter((line) => line.endsWith('false')).length === 3,
    );

    await count(5);
    for (const machine of machines.slice(3)) {
      await machine.mount();
      machine.startManager(store);
    }
    await waitFor(
      'five members vote',
      machines,
      async () => (await size()).filter((line) => line.endsWith('false')).length === 5,
    );

    await count(3);
    await waitFor('three members are left', machines, async () => (await size()).length === 3);
    expect(await first.etcdctl('get', 'key', '--print-value-only')).toBe('value');
    const left = (await size()).map((line) => line.split(', ')[2]);
    expect(left.toSorted((one, two) => ((one ?? '') < (two ?? '') ? -1 : 1))).toEqual([
      'etcd-11',
      'etcd-12',
      'etcd-13',
    ]);
    const [, , , fourth] = machines;
    await fourth?.until('set the data of etcd-14 aside');
  });

  test.concurrent('the leader hands over when its machine shuts down, and not when only its manager ends', async ({
    onTestFinished,
  }) => {
    const { store, machines } = await cluster(onTestFinished, '11', '12', '13');
    await Promise.all(machines.map((machine) => machine.mount()));
    for (const machine of machines) machine.startManager(store);
    await Promise.all(machines.map((machine) => machine.until(SERVING)));
    const leader = async (): Promise<Machine> => {
      for (const machine of machines) {
        const [, id, of] =
          /"member_id":(\d+),.*"leader":(\d+)/.exec(await machine.etcdctl('endpoint', 'status', '-w', 'json')) ?? [];
        if (id !== undefined && id === of) return machine;
      }
      throw new Error('nobody leads');
    };
    let leading = await leader();
    await leading.stopManager();
    expect((await leader()).member).toBe(leading.member);
    leading.startManager(store);
    // On a busy computer the etcds may elect another leader, or not answer in the time that a shutdown leaves.
    await waitFor('the leader hands over', machines, async () => {
      leading = await leader();
      leading.units.machineEnds = true;
      await leading.stopManager();
      leading.startManager(store);
      return leading.lines.some((line) => line.includes('handed over the leadership before etcd stops'));
    });
    expect((await leader()).member).not.toBe(leading.member);
  });

  test.concurrent('a database that has reached its quota takes writes again by itself', async ({ onTestFinished }) => {
    const { store, machines } = await cluster(onTestFinished, '11');
    const [one] = machines;
    if (one === undefined) throw new Error('there is a machine');
    one.config.env.push({ name: 'ETCD_QUOTA_BACKEND_BYTES', value: String(16 * 1024 * 1024) });
    await one.mount();
    one.startManager(store);
    await one.until(SERVING);
    const value = 'x'.repeat(100_000);
    const write = () => one.etcdctl('put', 'key', value);
    await expect(repeat(400, write)).rejects.toThrow('database space exceeded');
    await one.until('lift the NOSPACE alarm');
    await waitFor('etcd takes writes', machines, async () => (await write()).includes('OK'));
  });

  test
    .skipIf(newer === undefined)
    .concurrent(
      'three members are upgraded to the next minor version one at a time, and lose no write',
      async ({ onTestFinished }) => {
        const { store, machines } = await cluster(onTestFinished, '11', '12', '13');
        const [first] = machines;
        if (first === undefined || newer === undefined) throw new Error('there are machines');
        for (const { config } of machines) config.binaries.push(newer);
        await Promise.all(machines.map((machine) => machine.mount()));
        for (const machine of machines) machine.startManager(store);
        await Promise.all(machines.map((machine) => machine.until(SERVING)));
        await first.etcdctl('put', 'key', 'value');
        await want(store, first.config.backupPath, 3, newer.version);
        await waitFor('every member runs it', machines, async () => {
          const answers = await Promise.all(
            machines.map((machine) => machine.etcdctl('endpoint', 'status', '-w', 'json')),
          );
          return answers.every((answer) => answer.includes(`"version":"${newer.version}"`));
        });
        expect(await first.etcdctl('get', 'key', '--print-value-only')).toBe('value');
        const { backupPath } = first.config;
        const details = (await listBackups(store, backupPath)).map((one) => describeBackup(store, backupPath, one));
        // A quarter of an hour that passes adds a scheduled one.
        const reasons = (await Promise.all(details)).flatMap(({ facts }) => facts?.reason ?? []);
        const upgrades = ['11', '12', '13'].map(
          (member) => `before: ${member} goes from ${version} to ${newer.version}`,
        );
        expect(reasons).toEqual(expect.arrayContaining(upgrades));
      },
    );

  test('a client without a certificate of the client CA is refused', async ({ onTestFinished }) => {
    const { store, machines } = await cluster(onTestFinished, '11');
    const [one] = machines;
    if (one === undefined) throw new Error('there is a machine');
    await one.mount();
    one.startManager(store);
    await one.until(SERVING);
    const files = clientFiles(one.config.mountPoint);
    const peers = join(one.config.mountPoint, 'pki', 'peers');
    // A certificate of the peer CA is valid, but not for clients.
    const foreign = { ca: files.ca, cert: join(peers, 'me.crt'), key: join(peers, 'me.key') };
    const etcd = await openEtcd(`https://${one.address}:${one.config.clientPort}`, foreign);
    await expect(etcd.status(AbortSignal.timeout(5000))).rejects.toThrow(/alert|certificate|ECONNRESET|socket/i);
    etcd.close();
  });
});
