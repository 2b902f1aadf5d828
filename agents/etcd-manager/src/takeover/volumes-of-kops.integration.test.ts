import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findTestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { freeEtcdPorts } from '@kopsctl/test-peers/free-port.ts';
import { describe, expect, test } from 'vitest';
import { SERVING, TEST_CLUSTER, TestMachine, testStore } from '../../testing/machine.ts';
import { CREATED, parseMarker, SPEC } from '../store/layout.ts';

const PATH = `${TEST_CLUSTER}/backups/etcd/main`;
const MEMBERS = ['51', '52', '53'];
const KOPS_BACKUP = '2026-11-20T01:02:03Z-000009';
/** What kops's manager notes on a volume, which is a message of its own protocol. */
const STATE = Buffer.from('\n\u0010of kops', 'latin1');

const etcd = await findTestEtcd('3.4');

const write = (store: StateStore, path: string, bytes: Uint8Array) =>
  store.write(`${PATH}/${path}`, bytes, { ifAbsent: true });

/** Leaves in the store what kops's manager leaves there, and the etcds of its members running, with their volumes. */
async function handToKops(store: StateStore, machines: readonly TestMachine[], version: string): Promise<void> {
  for (const machine of machines) await machine.stopManager();
  for (const { path } of await store.list(PATH)) await store.delete(path);
  const wish = { memberCount: MEMBERS.length, etcdVersion: version };
  await write(store, CREATED, Buffer.from('{"timestamp":"1517274123000000000"}'));
  await write(store, SPEC, Buffer.from(JSON.stringify(wish, null, 2)));
  await write(store, `${KOPS_BACKUP}/etcd.backup.gz`, gzipSync('a snapshot'));
  const meta = { etcdVersion: version, timestamp: '1763600523', clusterSpec: wish };
  await write(store, `${KOPS_BACKUP}/_etcd_backup.meta`, Buffer.from(JSON.stringify(meta)));
  for (const { config, lines } of machines) {
    lines.length = 0;
    const kept = ['data', 'pki'];
    for (const name of readdirSync(config.mountPoint).filter((one) => !kept.includes(one))) {
      await rm(join(config.mountPoint, name), { recursive: true });
    }
    await writeFile(join(config.mountPoint, 'state'), STATE);
  }
}

describe.skipIf(etcd === undefined)('Volumes of kops', () => {
  if (etcd === undefined) return;

  test('are taken over machine by machine, beside members that kops still runs, and can be given back', async ({
    onTestFinished,
  }) => {
    const store = await testStore();
    const ports = await freeEtcdPorts();
    const machines: TestMachine[] = [];
    for (const member of MEMBERS) {
      const folder = await mkdtemp(join(tmpdir(), 'of-kops-'));
      const machine = new TestMachine(folder, member, MEMBERS, { ...etcd, ...ports });
      onTestFinished(async () => {
        await machine.end();
        await rm(folder, { recursive: true, force: true });
      });
      machines.push(machine);
    }
    const [first] = machines;
    if (first === undefined) throw new Error('there are machines');
    await Promise.all(machines.map((machine) => machine.boot(store)));
    await Promise.all(machines.map((machine) => machine.until(SERVING)));
    await first.etcdctl('put', 'key', 'of kops');
    const membersAs = async (machine: TestMachine) => (await machine.etcdctl('member', 'list')).split('\n').toSorted();
    const members = await membersAs(first);
    const [token = ''] = readdirSync(join(first.config.mountPoint, 'data'));
    await handToKops(store, machines, etcd.version);

    for (const machine of machines) {
      // The machine is replaced; the next one gets its volume.
      await machine.end();
      await machine.boot(store);
      await machine.until(SERVING);
      expect(await machine.etcdctl('get', 'key', '--print-value-only')).toBe('of kops');
      expect(await membersAs(machine)).toEqual(members);
      await machine.etcdctl('put', `taken-over-${machine.member}`, 'yes');
    }

    await first.until(async () => {
      const marker = await store.read(`${PATH}/${CREATED}`);
      return parseMarker(new TextDecoder().decode(marker?.bytes))?.token === token;
    });
    expect((await first.etcdctl('get', '--prefix', 'taken-over-', '--keys-only')).match(/taken-over/g)).toHaveLength(3);
    const backups = await listBackups(store, PATH);
    expect(backups.map(({ name }) => name)).toContain(KOPS_BACKUP);
    // kops's manager finds the data where it left it, and what it noted.
    for (const { config } of machines) {
      expect(readdirSync(join(config.mountPoint, 'data'))).toEqual([token]);
      expect(await readFile(join(config.mountPoint, 'state'))).toEqual(STATE);
    }
  });
});
