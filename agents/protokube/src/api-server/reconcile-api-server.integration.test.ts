import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { staticPodApiServer } from '@kopsctl/agent/api-server.ts';
import { makeLog } from '@kopsctl/agent/log.ts';
import { readRestore, type RestorePhase, writeRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { reconcileApiServer } from './reconcile-api-server.ts';

const BACKUPS = 'demo.example.com/backups/etcd/main';
const BEGUN = {
  id: 'R',
  reason: 'restoring B',
  etcdVersion: '3.4.23',
  token: 'T',
  since: '2026-11-21T12:00:00Z',
  members: ['a'],
  acknowledged: [],
};
const WAIT = { timeout: 20_000, interval: 50 };

let folder: string;
let store: StateStore;
const running: { readonly ended: AbortController; readonly done: Promise<unknown> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-api-server-'));
  store = createMemoryStore();
});
afterEach(async () => {
  await endAll();
  await rm(folder, { recursive: true });
});

async function endAll(): Promise<void> {
  for (const { ended, done } of running.splice(0)) {
    ended.abort();
    // Between two waits it ends without an error.
    const failure = await done.catch((error: unknown) => String(error));
    expect(failure ?? 'abort').toMatch(/abort/);
  }
}

const manifestOf = (machine: string): string => join(folder, machine, 'kube-apiserver.manifest');

async function boot(machine: string, text: string): Promise<void> {
  await mkdir(join(folder, machine), { recursive: true });
  await writeFile(manifestOf(machine), text);
}

/** protokube on a machine whose kubelet runs the manifests it sees. */
function follow(machine: string): void {
  const ended = new AbortController();
  const manifest = manifestOf(machine);
  const apiServer = staticPodApiServer({
    manifest,
    heldFolder: join(folder, machine, 'held'),
    processNames: () => Promise.resolve(existsSync(manifest) ? ['kube-apiserver'] : []),
  });
  const log = makeLog(() => undefined, true, 'test');
  const restored = { etcdCluster: 'main', backupPath: BACKUPS };
  running.push({ ended, done: reconcileApiServer(machine, restored, { store, apiServer, log }, ended.signal) });
}

async function enter(phase: RestorePhase): Promise<void> {
  await vi.waitFor(async () => {
    const before = await readRestore(store, BACKUPS);
    const record = { ...(before?.record ?? BEGUN), phase };
    await writeRestore(store, BACKUPS, record, before);
  }, WAIT);
}

const said = async () => (await readRestore(store, BACKUPS))?.record.apiServers;

test('it ends before the restore continues, does not start when the agent restarts, and starts again afterwards', async () => {
  await enter('stopping');
  await boot('api-1', 'kind: Pod\n');
  follow('api-1');
  await vi.waitFor(async () => expect(await said()).toEqual({ 'api-1': 'ended' }), WAIT);
  const manifest = manifestOf('api-1');
  expect(existsSync(manifest)).toBe(false);
  await endAll();
  await enter('restoring');
  // The machine boots: nodeup writes the manifest, and the agent starts.
  await boot('api-1', 'kind: Pod # newer\n');
  follow('api-1');
  await vi.waitFor(() => expect(existsSync(manifest)).toBe(false), WAIT);
  await vi.waitFor(async () => expect(await said()).toEqual({ 'api-1': 'ended' }), WAIT);
  await enter('finishing');
  await vi.waitFor(async () => expect(await readFile(manifest, 'utf8')).toBe('kind: Pod # newer\n'), WAIT);
});

test('reports of several machines at the same time are all recorded', async () => {
  await enter('stopping');
  const names = ['api-1', 'api-2', 'api-3', 'api-4'];
  await Promise.all(names.map((name) => boot(name, 'kind: Pod\n')));
  for (const name of names) follow(name);
  await vi.waitFor(
    async () => expect(await said()).toEqual(Object.fromEntries(names.map((name) => [name, 'ended']))),
    WAIT,
  );
});
