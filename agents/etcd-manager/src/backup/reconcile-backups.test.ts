import { makeLog } from '@kopsctl/agent/log.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { BACKUP_DATA, BACKUP_META, backupName, printBackupMeta } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { machineClock } from '../clock.ts';
import type { Term } from '../lease/leadership.ts';
import { DueBackup, reconcileBackups, runBackups, type BackupsEnv } from './reconcile-backups.ts';

const PATH = 'demo/backups/etcd/main';
const MINUTE_MS = 60_000;
// Only what the loop reads.
const CONFIG = { backupPath: PATH, env: [] as EtcdClusterConfig['env'] } as EtcdClusterConfig;

let ended: AbortController;
beforeEach(() => {
  ended = new AbortController();
});
afterEach(() => {
  ended.abort();
  vi.useRealTimers();
});

interface World {
  nowMs: number;
  /** Resolves once the local etcd answers. */
  answer: () => Promise<void>;
  term: Term | undefined;
  /** Happens while the next backup is taken. */
  meanwhile: () => void;
  /** What the loop said last about its health. */
  failure: string | undefined;
}

/** A machine of a cluster that was formed, and backed up, a moment ago. */
async function machine() {
  const world: World = {
    nowMs: 0,
    answer: async () => undefined,
    term: undefined,
    meanwhile: () => undefined,
    failure: undefined,
  };
  const store = createMemoryStore({ now: () => world.nowMs });
  const write = (path: string, text = '') => store.write(`${PATH}/${path}`, Buffer.from(text), { ifAbsent: true });
  const saved: string[] = [];
  const failures: unknown[] = [];
  const due = new DueBackup();
  const backUp = async () => {
    const spec = { memberCount: 1, etcdVersion: '3.5.30' };
    const name = backupName(world.nowMs, 0);
    await write(`${name}/${BACKUP_DATA}`, 'data');
    await write(`${name}/${BACKUP_META}`, printBackupMeta(spec, world.nowMs));
    const facts = { sha256: 'x', storedBytes: 4, databaseBytes: 4, revision: 1, entries: 1, durationMs: 1 };
    return { name, facts: { ...facts, reason: 'scheduled', takenBy: 'a' } };
  };
  const env: BackupsEnv = {
    cluster: 'demo',
    address: '10.0.0.1',
    store,
    log: makeLog(() => undefined, false, 'backup'),
    clock: { ...machineClock, nowMs: () => world.nowMs },
    leadership: {
      get term() {
        return world.term;
      },
    },
    request: async () => {
      if (world.term === undefined) return undefined;
      await world.answer();
      return { member: 'a', memberCount: 1 };
    },
    takeBackup: async () => {
      const backup = await backUp();
      world.meanwhile();
      world.meanwhile = () => undefined;
      return backup;
    },
    onHealth: (failure) => (world.failure = failure),
    onBackup: (outcome) => ('saved' in outcome ? saved.push(outcome.saved.name) : failures.push(outcome.failed)),
  };
  await write('control/etcd-cluster-created');
  await backUp();
  const lead = async (epoch: number) => {
    await write(`control/leader-of-${epoch}`);
    world.term = { epoch, process: 'p', signal: ended.signal };
    due.wake.ring();
  };
  return {
    world,
    due,
    saved,
    failures,
    lead,
    env,
    run: () => reconcileBackups(CONFIG, due, env, ended.signal),
    pass: (minutes: number) => (world.nowMs += minutes * MINUTE_MS),
    settle: () => vi.waitFor(() => expect(due).toMatchObject({ isDue: false, epoch: world.term?.epoch })),
  };
}

test('the leader takes a backup at each moment of the schedule, and another machine takes none', async () => {
  const { due, saved, world, pass, lead, settle, run } = await machine();
  const running = run();
  pass(15);
  due.moment(world.nowMs);
  await vi.waitFor(() => expect(due.isDue).toBe(false));
  expect(saved).toEqual([]);
  await lead(1);
  await vi.waitFor(() => expect(saved).toHaveLength(1));
  pass(15);
  due.moment(world.nowMs);
  await vi.waitFor(() => expect(saved).toHaveLength(2));
  await settle();
  ended.abort();
  await expect(running).rejects.toThrow('aborted');
});

test('while the etcd of the leader does not answer, the backup stays due and each attempt counts as a failure', async () => {
  const { due, saved, failures, world, pass, lead, settle, run } = await machine();
  await lead(1);
  world.answer = async () => {
    throw new Error('no answer');
  };
  pass(5);
  due.moment(world.nowMs);
  for (const attempts of [1, 2]) {
    await expect(run()).rejects.toThrow('no answer');
    expect([due.isDue, failures.length]).toEqual([true, attempts]);
  }
  world.answer = async () => undefined;
  void run().catch(() => undefined);
  await vi.waitFor(() => expect(saved).toHaveLength(1));
  await settle();
});

test('a term begins with a backup only if the last one is older than the last moment or the interval', async () => {
  const { due, saved, world, pass, lead, settle, run } = await machine();
  void run().catch(() => undefined);
  pass(14);
  await lead(1);
  await settle();
  expect(saved).toHaveLength(0);
  // Another machine leads for a while, and is lost as a backup is due.
  world.term = undefined;
  pass(1);
  due.moment(world.nowMs);
  await vi.waitFor(() => expect(due.isDue).toBe(false));
  pass(1);
  await lead(3);
  await vi.waitFor(() => expect(saved).toHaveLength(1));
  await settle();
  pass(1);
  await lead(4);
  await settle();
  expect(saved).toHaveLength(1);
});

test('a moment that passes while a backup is taken is due as well', async () => {
  const { due, saved, world, pass, lead, settle, run } = await machine();
  await lead(1);
  pass(5);
  due.moment(world.nowMs);
  world.meanwhile = () => {
    pass(15);
    due.moment(world.nowMs);
  };
  void run().catch(() => undefined);
  await vi.waitFor(() => expect(saved).toHaveLength(2));
  await settle();
});

test('a backup that failed is a fault until one is taken, however long the next attempt lasts', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-05-01T12:14:59Z'), toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { world, env, lead, pass } = await machine();
  await lead(1);
  pass(15);
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = vi.fn<World['answer']>().mockRejectedValueOnce(new Error('no answer')).mockReturnValueOnce(promise);
  world.answer = answer;
  const leadership = { ...env.leadership, term: world.term, ringOnChange: () => undefined };
  const running = runBackups(CONFIG, { ...env, leadership }, ended.signal);
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(answer).toHaveBeenCalledTimes(2));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(world.failure).toBe('no answer');
  resolve();
  await vi.waitFor(() => expect(world.failure).toBeUndefined());
  ended.abort();
  await running;
});
