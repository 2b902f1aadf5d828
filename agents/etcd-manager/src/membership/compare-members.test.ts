import { expect, test } from 'vitest';
import type { Log } from '@kopsctl/agent/log.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { configOf } from '../simulation/machine.ts';
import { compareMembers, type Compared } from './compare-members.ts';

const HOUR_MS = 60 * 60_000;
const CALM = { isFrozen: false, isStuck: false };
const config = configOf(['a', 'b', 'c'], 'a');

/** Three members that a leader compares. */
function leader(version = '3.5.35') {
  const watched: Compared = {};
  const hashes: Record<string, number> = { a: 1, b: 1, c: 1 };
  const versions: Record<string, string> = { a: version, b: version, c: version };
  const starts: Record<string, string> = { a: 'a1', b: 'b1', c: 'c1' };
  const away = new Set<string>();
  /** They do not say what their hash is. */
  const mute = new Set<string>();
  const asked: string[] = [];
  let nowMs = 0;
  const ignore = (): void => undefined;
  const log: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore, about: () => log };
  const etcds = {
    dataHash: (_: EtcdClusterConfig, member: string, revision: number) => {
      asked.push(`${member}@${revision}`);
      if (mute.has(member)) return Promise.reject(new Error('the database is too large to be read in time'));
      return Promise.resolve({ hash: hashes[member] ?? 0, compactRevision: 1 });
    },
  };
  const env = { log, etcds, clock: { nowMs: () => nowMs } };
  return {
    hashes,
    versions,
    starts,
    away,
    mute,
    asked,
    pass: (ms: number) => (nowMs += ms),
    look: async (names = ['a', 'b', 'c']): Promise<string | undefined> => {
      const members = names.map((member, index) => ({
        listed: { id: `id-${member}`, isLearner: false },
        member,
        status: away.has(member) ? undefined : { revision: 10 + index, version: versions[member] ?? '' },
        isWell: !away.has(member),
        etcdStart: starts[member],
      }));
      const { signal } = new AbortController();
      return (await compareMembers(config, members, CALM, watched, env, signal))?.comparison.verdict;
    },
  };
}

test('a new leader compares all members at one revision, and every hour from then on', async () => {
  const { look, asked, pass } = leader();
  expect(await look()).toBe('same');
  expect(asked).toEqual(['a@10', 'b@10', 'c@10']);
  pass(HOUR_MS);
  expect(await look()).toBeUndefined();
  pass(1_000);
  expect(await look()).toBe('same');
  expect(asked).toHaveLength(6);
});

test('a member that was away is compared as soon as all are well again', async () => {
  const { look, hashes, away, asked, pass } = leader();
  await look();
  pass(10_000);
  away.add('c');
  expect(await look()).toBeUndefined();
  pass(10_000);
  away.delete('c');
  hashes['c'] = 2;
  expect(await look()).toBe('corrupt');
  expect(asked).toHaveLength(6);
});

test('so is one that was started again before anybody noticed', async () => {
  const { look, starts, asked, pass } = leader();
  await look();
  pass(10_000);
  starts['b'] = 'b2';
  expect(await look()).toBe('same');
  pass(10_000);
  expect(await look()).toBeUndefined();
  expect(asked).toHaveLength(6);
});

test('a difference is looked at again until it is gone, because a member is removed for it only after a while', async () => {
  const { look, hashes, asked, pass } = leader();
  hashes['b'] = 2;
  for (const times of [1, 2, 3]) {
    expect(await look()).toBe('corrupt');
    expect(asked).toHaveLength(3 * times);
    pass(5_000);
    expect(await look()).toBe('corrupt');
    expect(asked).toHaveLength(3 * times);
    pass(5_000);
  }
  hashes['b'] = 1;
  expect(await look()).toBe('same');
  pass(10_000);
  expect(await look()).toBeUndefined();
});

test('a member that cannot say what it holds is not asked again at once', async () => {
  const { look, mute, asked, pass } = leader();
  mute.add('b');
  expect(await look()).toBe('incomplete');
  pass(9 * 60_000);
  expect(await look()).toBe('incomplete');
  expect(asked).toHaveLength(3);
  pass(60_000);
  mute.delete('b');
  expect(await look()).toBe('same');
});

test('a difference counts no longer once a member does not answer', async () => {
  const { look, hashes, away, pass } = leader();
  hashes['b'] = 2;
  expect(await look()).toBe('corrupt');
  away.add('c');
  pass(10_000);
  expect(await look()).toBeUndefined();
});

test.each(['3.3.25', '3.4.23', '3.5.15'])('hashes of etcd %s are not compared unasked', async (version) => {
  const { look, asked } = leader(version);
  expect(await look()).toBeUndefined();
  expect(asked).toEqual([]);
});

test('neither are those of different versions, nor is a single member', async () => {
  const { look, versions, asked } = leader();
  versions['c'] = '3.6.16';
  expect(await look()).toBeUndefined();
  expect(await look(['a'])).toBeUndefined();
  expect(asked).toEqual([]);
});
