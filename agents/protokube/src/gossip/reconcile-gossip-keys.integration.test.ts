import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { parseSecret, printSecret } from '@kopsctl/state-store/stored-secret.ts';
import { Leadership } from '../leader/reconcile-lease.ts';
import type { RevokedNode } from '../revocation/plan-revocation.ts';
import { heldKeys, heldKeysMeta } from './key-holders.ts';
import { parseKeys, printKeys } from './gossip-keys.ts';
import { reconcileGossipKeys } from './reconcile-gossip-keys.ts';

const PATH = 'demo.k8s.local/secrets/gossip-key';
const WAIT = { timeout: 10_000, interval: 20 };
const OLD = { key: Buffer.alloc(32, 1), sinceMs: Date.UTC(2026, 0, 1) };
const NEW = Buffer.alloc(32, 2);

interface Begun {
  readonly messages?: number;
  readonly revoked?: readonly RevokedNode[];
}

let folder: string;
let ended: AbortController;
/** What still runs, and may write to the folder. */
let running: Promise<void>[];
beforeEach(async () => {
  ended = new AbortController();
  running = [];
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-gossip-keys-'));
  await writeFile(join(folder, 'keys'), printKeys([OLD]));
});
afterEach(async () => {
  ended.abort();
  await Promise.all(running);
  await rm(folder, { recursive: true });
});

/** A control plane in a ring whose first key has nearly been used up, unless few messages were sent with it. */
async function start(isLeading: boolean, { messages = 2 ** 30, revoked = [] }: Begun = {}) {
  const store = createMemoryStore();
  await store.write(PATH, Buffer.from(printSecret(Buffer.from(printKeys([OLD])))), { ifAbsent: true });
  const members = [{ name: 'cp', keys: heldKeys(heldKeysMeta([OLD])) }];
  const ring = { use: () => ({ messages, forMs: 3_600_000, members }) };
  const leadership = new Leadership();
  if (isLeading) leadership.begin();
  const log = makeLog(() => undefined, true, 'test');
  const env = {
    cluster: 'demo.k8s.local',
    store,
    ring,
    revoked: async () => revoked,
    leadership,
    freshKey: () => NEW,
    nowMs: Date.now,
    log,
  };
  const keysFile = join(folder, 'keys');
  const done = reconcileGossipKeys({ keysFile, secret: 'gossip-key' }, env, ended.signal).catch(() => undefined);
  running.push(done);
  const stored = async () => {
    const secret = parseSecret((await store.read(PATH))?.bytes ?? new Uint8Array());
    return parseKeys(String(secret), 'the store').map(({ key }) => key);
  };
  return { stored, leadership, done, inFile: async () => parseKeys(await readFile(keysFile, 'utf8'), keysFile) };
}

test('the leader lets the next key decrypt before the first is used up, in the store and then in its own file', async () => {
  const { stored, inFile } = await start(true);
  await vi.waitFor(async () => expect((await inFile()).map(({ key }) => key)).toEqual([OLD.key, NEW]), WAIT);
  expect(await stored()).toEqual([OLD.key, NEW]);
  expect((await stat(join(folder, 'keys'))).mode & 0o777).toBe(0o600);
});

test('a control plane that does not lead changes nothing until it does', async () => {
  const { stored, leadership } = await start(false);
  expect(await stored()).toEqual([OLD.key]);
  leadership.begin();
  await vi.waitFor(async () => expect(await stored()).toEqual([OLD.key, NEW]), WAIT);
});

test('the leader changes the key that a revoked machine has, however little it was used', async () => {
  const calm = await start(true, { messages: 1 });
  await vi.waitFor(async () => expect(await calm.inFile()).toEqual([OLD]), WAIT);
  expect(await calm.stored()).toEqual([OLD.key]);
  ended.abort();
  await calm.done;
  ended = new AbortController();
  const revokedAt = new Date(Date.now() - 10 * 60_000).toISOString();
  const { stored } = await start(true, { messages: 1, revoked: [{ node: 'nodes-1', revokedAt }] });
  await vi.waitFor(async () => expect(await stored()).toEqual([OLD.key, NEW]), WAIT);
});
