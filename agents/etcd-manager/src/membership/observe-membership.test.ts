import { makeLog } from '@kopsctl/agent/log.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import type { EtcdClient } from '../etcd/client.ts';
import type { Etcds } from '../etcd/etcds.ts';
import { observeMembership, watchedFrom, watchStatuses } from './observe-membership.ts';

const EPOCH = 7;
const at = (member: string, updatedAt: string, epoch = EPOCH - 1) => ({ member, updatedAt, epoch });

test('a status found at the first look proves nothing, whatever time it names', () => {
  const seen = watchStatuses(undefined, [at('a', new Date().toISOString()), at('b', '2001-01-01T00:00:00Z')], EPOCH, 5);
  expect([...seen.values()].map(({ isAlive }) => isAlive)).toEqual([false, false]);
});

test('a machine counts as alive from the moment its status changes or appears, even if its clock is hours off', () => {
  const first = watchStatuses(undefined, [at('a', '2026-11-21T12:00:00Z')], EPOCH, 5);
  const second = watchStatuses(first, [at('a', '2026-11-21T03:00:00Z'), at('b', '2040-01-01T00:00:00Z')], EPOCH, 9);
  expect(second.get('a')).toEqual({ updatedAt: '2026-11-21T03:00:00Z', sinceMs: 9, isAlive: true });
  expect(second.get('b')).toMatchObject({ sinceMs: 9, isAlive: true });
  const third = watchStatuses(second, [at('a', '2026-11-21T03:00:00Z')], EPOCH, 70);
  expect(third.get('a')).toMatchObject({ sinceMs: 9, isAlive: true });
});

test('a status written in this term proves that its machine is alive, even at the first look', () => {
  const seen = watchStatuses(undefined, [at('a', '2001-01-01T00:00:00Z', EPOCH)], EPOCH, 5);
  expect(seen.get('a')).toMatchObject({ isAlive: true });
});

const CONFIG = {
  name: 'main',
  mountPoint: '/mnt/a',
  members: ['a', 'b', 'c'],
  memberHost: 'etcd-<member>',
  clientPort: 4001,
  peerPort: 2380,
  etcdVersion: '3.5.30',
  binDir: '/opt/etcd',
  backupPath: 'demo/backups/etcd/main',
  peersCa: 'peers',
  clientsCa: 'clients',
  env: [],
};

/** Three members, some of which answer; those that do name this leader. */
class Members {
  answering: readonly string[] = CONFIG.members;
  leaderId: string | undefined = 'a';
  nowMs = 0;
  readonly #watched = watchedFrom(EPOCH);

  /** How long each member has been silent; undefined while the local etcd has no leader. */
  async silence(): Promise<readonly number[] | undefined> {
    const env = {
      address: 'etcd-a',
      store: createMemoryStore(),
      log: makeLog(() => undefined, false, 'test'),
      etcds: this.#etcds(),
      clock: {
        nowMs: () => this.nowMs,
        wallMs: () => 0,
        after: () => new AbortController().signal,
        sleep: () => Promise.resolve(),
      },
    };
    const observed = await observeMembership(CONFIG, this.#watched, env, new AbortController().signal);
    return observed?.members.map(({ silentForMs }) => silentForMs);
  }

  #etcds(): Etcds {
    const listed = CONFIG.members.map((member) => ({
      id: member,
      name: `etcd-${member}`,
      peerUrl: `https://etcd-${member}:2380`,
      isLearner: false,
    }));
    const ask: Etcds['ask'] = (host, _, question) => {
      const memberId = host.replace('etcd-', '');
      if (!this.answering.includes(memberId)) throw new Error('connect ECONNREFUSED');
      const { leaderId } = this;
      const status = { clusterId: '1', memberId, version: '3.5.30', dbSizeBytes: 1, revision: 1, isLearner: false };
      const client = {
        status: () => Promise.resolve({ ...status, ...(leaderId !== undefined && { leaderId }) }),
        members: () => Promise.resolve(listed),
        alarms: () => Promise.resolve([]),
      };
      // Nothing else is asked in an observation without alarms.
      return question(client as unknown as EtcdClient);
    };
    const isThere = (host: string): boolean => this.answering.includes(host.replace('etcd-', ''));
    return {
      ask,
      askIfThere: async (host, config, question) => (isThere(host) ? ask(host, config, question) : undefined),
      dataHash: () => Promise.resolve({ hash: 1, compactRevision: 1 }),
    };
  }
}

test('a member is silent from the moment it does not answer, until it does', async () => {
  const members = new Members();
  expect(await members.silence()).toEqual([0, 0, 0]);
  members.answering = ['a', 'b'];
  expect(await members.silence()).toEqual([0, 0, 1]);
  members.nowMs = 10_000;
  expect(await members.silence()).toEqual([0, 0, 10_000]);
  members.answering = CONFIG.members;
  expect(await members.silence()).toEqual([0, 0, 0]);
});

test('while there is no quorum here nobody grows silent: a late member is not replaced the moment a partition heals', async () => {
  const members = new Members();
  members.answering = ['a', 'b'];
  await members.silence();
  members.leaderId = undefined;
  for (members.nowMs = 10_000; members.nowMs <= 600_000; members.nowMs += 10_000) {
    expect(await members.silence()).toBeUndefined();
  }
  members.leaderId = 'a';
  expect(await members.silence()).toEqual([0, 0, 1]);
});

test('neither does anybody while this manager is paused', async () => {
  const members = new Members();
  members.answering = ['a', 'b'];
  await members.silence();
  members.nowMs = 600_000;
  expect(await members.silence()).toEqual([0, 0, 1]);
});
