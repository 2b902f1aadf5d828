import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NotInSyncError, UnhealthyClusterError } from '../src/etcd/client.ts';
import type { AnsweringEtcd } from '../src/simulation/simulated-etcd.ts';

/** How an etcd is started: `name=url` of every member, separated by commas. */
export interface StartSettings {
  readonly token: string;
  readonly initialState: 'new' | 'existing';
  readonly initialCluster: string;
}

/** Etcds of machines `a` to `d`, which nothing else starts or stops. */
export interface EtcdsUnderTest {
  peerUrl(machine: string): string;
  start(machine: string, settings: StartSettings): Promise<void>;
  /** Kills it. */
  stop(machine: string): Promise<void>;
  /** Empties its disk. */
  wipe(machine: string): Promise<void>;
  client(machine: string): Promise<AnsweringEtcd>;
  /** A write of a client. @throws if it is not acknowledged */
  write(): Promise<void>;
  /** Lets this much time pass. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

const { signal } = new AbortController();
/** An election, and a bit more than the five seconds for which etcd wants all members to be connected. */
const CONNECTED_MS = 7_000;
const SOON_MS = 30_000;
const POLL_MS = 200;
const FIRST = ['a', 'b', 'c'];

/**
 * Registers the suite that etcds of every version and the simulated ones pass: what managers rely on, as far as it is about
 * members. Titles say what etcd does, whether that is good or not. @param open undefined where these etcds are not available
 */
export function describeEtcds(name: string, open: (() => Promise<EtcdsUnderTest>) | undefined): void {
  describe.skipIf(open === undefined)(`Members of ${name}`, { concurrent: false, timeout: 120_000 }, () => {
    if (open === undefined) return;
    let etcds: EtcdsUnderTest;
    beforeEach(async () => {
      etcds = await open();
    });
    afterEach(() => etcds.close());

    const clusterOf = (machines: readonly string[]): string =>
      machines.map((machine) => `etcd-${machine}=${etcds.peerUrl(machine)}`).join(',');
    const asNew = (machines: readonly string[], token = 'T'): StartSettings => ({
      token,
      initialState: 'new',
      initialCluster: clusterOf(machines),
    });
    async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
      for (let waitedMs = 0; ; waitedMs += POLL_MS) {
        const found = await ask().catch(() => undefined);
        if (found !== undefined) return found;
        if (waitedMs > SOON_MS) throw new Error('never');
        await etcds.pass(POLL_MS);
      }
    }
    const ask = async <T>(machine: string, question: (etcd: AnsweringEtcd) => Promise<T>): Promise<T> =>
      question(await etcds.client(machine));
    const status = (machine: string) => ask(machine, (etcd) => etcd.status(signal));
    const members = (machine: string) => ask(machine, (etcd) => etcd.members(signal));
    const leads = (machine: string) =>
      until(async () => {
        const found = await status(machine);
        return found.leaderId === undefined ? undefined : found;
      });
    const idOf = async (machine: string, asked: string): Promise<string> => {
      const found = (await members(asked)).find(({ peerUrl }) => peerUrl === etcds.peerUrl(machine));
      if (found === undefined) throw new Error(`${machine} is not a member`);
      return found.id;
    };
    const form = async (machines: readonly string[]): Promise<void> => {
      await Promise.all(machines.map((machine) => etcds.start(machine, asNew(machines))));
      for (const machine of machines) await leads(machine);
    };
    /** The machines of a cluster, its leader last. */
    const leaderLast = async (machines: readonly string[]): Promise<readonly string[]> => {
      const { leaderId } = await leads(machines[0] ?? '');
      const ids = await Promise.all(machines.map((machine) => idOf(machine, machines[0] ?? '')));
      const index = ids.indexOf(leaderId ?? '');
      return [...machines.filter((_, at) => at !== index), machines[index] ?? ''];
    };

    test('all first members are listed, with their names, before the last of them has started, and a quorum is enough', async () => {
      await etcds.start('a', asNew(FIRST));
      await expect(etcds.write()).rejects.toThrow(/no etcd has a leader|Command failed/);
      await etcds.start('b', asNew(FIRST));
      await leads('a');
      const listed = await members('a');
      expect(listed.map(({ name: own }) => own).toSorted()).toEqual(['etcd-a', 'etcd-b', 'etcd-c']);
      await etcds.write();
      await etcds.start('c', asNew(FIRST));
      expect((await leads('c')).memberId).toBe(await idOf('c', 'a'));
    });

    test('first members with another token are another cluster, and a disk with data decides before any setting', async () => {
      await etcds.start('a', asNew(['a']));
      const { clusterId, memberId } = await leads('a');
      await etcds.write();
      await etcds.stop('a');
      await etcds.start('a', { ...asNew(FIRST), initialState: 'existing' });
      expect(await leads('a')).toMatchObject({ clusterId, memberId });
      await etcds.stop('a');
      await etcds.wipe('a');
      await etcds.start('a', asNew(['a'], 'U'));
      expect((await leads('a')).clusterId).not.toBe(clusterId);
    });

    test('without a quorum a member still lists the members, knows no leader, and changes nothing', async () => {
      await form(FIRST);
      const [other = '', another = '', left = ''] = await leaderLast(FIRST);
      for (const machine of [other, another]) await etcds.stop(machine);
      await until(async () => ((await status(left)).leaderId === undefined ? true : undefined));
      expect(await members(left)).toHaveLength(3);
      const add = ask(left, (etcd) => etcd.addMember(etcds.peerUrl('d'), { isLearner: true }, signal));
      await expect(add).rejects.toBeInstanceOf(UnhealthyClusterError);
    });

    test('a learner is added once all voters have been connected, one at a time, and gets a vote when it has caught up', async () => {
      await form(['a', 'b']);
      const add = (machine: string) =>
        ask('a', (etcd) => etcd.addMember(etcds.peerUrl(machine), { isLearner: true }, signal));
      await expect(add('c')).rejects.toBeInstanceOf(UnhealthyClusterError);
      await etcds.pass(CONNECTED_MS);
      await add('c');
      await expect(add('c')).rejects.toThrow(/already exist/);
      await expect(add('d')).rejects.toThrow(/too many learner/);
      const id = await idOf('c', 'a');
      const promote = () => ask('a', (etcd) => etcd.promoteMember(id, signal));
      await expect(promote()).rejects.toThrow(/in sync|started/);
      const listed = await members('a');
      expect(listed.find((one) => one.id === id)).toMatchObject({ name: '', isLearner: true });
      await etcds.start('c', { token: 'T', initialState: 'existing', initialCluster: clusterOf(FIRST) });
      const joined = await leads('c');
      expect(joined).toMatchObject({ memberId: id, isLearner: true });
      await until(() =>
        promote().then(
          () => true,
          (error: unknown) => {
            if (error instanceof NotInSyncError) return undefined;
            throw error;
          },
        ),
      );
      await until(async () => ((await status('c')).isLearner ? undefined : true));
    });

    test('while a voter is down nobody is added, it can be removed, and then it hears of no leader', async () => {
      await form(FIRST);
      const [down = '', other = '', leader = ''] = await leaderLast(FIRST);
      await etcds.pass(CONNECTED_MS);
      const id = await idOf(down, leader);
      await etcds.stop(down);
      await etcds.pass(CONNECTED_MS);
      const add = ask(leader, (etcd) => etcd.addMember(etcds.peerUrl('d'), { isLearner: true }, signal));
      await expect(add).rejects.toBeInstanceOf(UnhealthyClusterError);
      await ask(other, (etcd) => etcd.removeMember(id, signal));
      expect(await members(leader)).toHaveLength(2);
      await etcds.write();
      await etcds.start(down, asNew(FIRST));
      await etcds.pass(CONNECTED_MS);
      expect((await status(down).catch(() => undefined))?.leaderId).toBeUndefined();
      await expect(ask(leader, (etcd) => etcd.removeMember(id, signal))).rejects.toThrow(/not found/);
    });

    test('with one of three down, etcd refuses to remove another one', async () => {
      await form(FIRST);
      const [down = '', other = '', leader = ''] = await leaderLast(FIRST);
      await etcds.pass(CONNECTED_MS);
      await etcds.stop(down);
      await etcds.pass(CONNECTED_MS);
      const id = await idOf(other, leader);
      const remove = ask(leader, (etcd) => etcd.removeMember(id, signal));
      await expect(remove).rejects.toBeInstanceOf(UnhealthyClusterError);
      expect(await members(leader)).toHaveLength(3);
      await etcds.write();
    });

    test('only the leader hands over, to a voter', async () => {
      await form(FIRST);
      const [follower = '', heir = '', leader = ''] = await leaderLast(FIRST);
      const id = await idOf(heir, leader);
      const move = (asked: string) => ask(asked, (etcd) => etcd.moveLeader(id, signal));
      await expect(move(follower)).rejects.toThrow(/not leader/);
      await move(leader);
      await until(async () => ((await status(follower)).leaderId === id ? true : undefined));
      await etcds.write();
    });
  });
}
