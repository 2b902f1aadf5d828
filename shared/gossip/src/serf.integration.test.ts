import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import type { Gossip, GossipOptions } from './gossip.ts';
import { openGossip } from './open-gossip.ts';
import { PackWriter } from './wire/pack-writer.ts';
import type { Versions } from './wire/message.ts';

/** serf has a delegate protocol of its own on top of memberlist; a peer has to announce it to join serf agents. */
const SERF_VERSIONS: Versions = {
  protocolMin: 1,
  protocolMax: 5,
  protocol: 2,
  delegateMin: 2,
  delegateMax: 5,
  delegate: 5,
};
const PORT = 7946;
/** All of 127.0.0.0/8 is local; only this process uses this subnet. */
const subnet = `127.${100 + (Math.floor(process.pid / 256) % 100)}.${process.pid % 256}`;

const peer = await findPeer('serf');
const serf = peer && join(peer.root, 'usr/bin/serf');

describe.skipIf(serf === undefined)('a mixed cluster of serf agents and our peers', () => {
  const children = new Map<string, ChildProcess>();
  const ours = new Map<string, Gossip>();
  let addresses = 0;

  afterEach(async () => {
    await Promise.all([...ours.values()].map((gossip) => gossip.close()));
    await Promise.all([...children.values()].map(kill));
    ours.clear();
    children.clear();
  });

  const nextAddress = (): string => `${subnet}.${(addresses += 1)}`;

  async function startSerf(name: string, address: string, flags: readonly string[]): Promise<void> {
    if (serf === undefined) throw new Error('these tests are skipped without serf');
    const args = ['agent', `-node=${name}`, `-bind=${address}:${PORT}`, `-rpc-addr=${address}:7373`, '-profile=lan'];
    const child = spawn(serf, [...args, ...flags], { stdio: 'ignore' });
    children.set(name, child);
    await vi.waitFor(async () => expect(await serfMembers(address)).toHaveProperty(name), WAIT);
  }

  async function startOurs(
    name: string,
    options: Partial<GossipOptions> & Pick<GossipOptions, 'bindAddress' | 'keys'>,
  ) {
    const log = { info: () => undefined, warn: () => undefined };
    const gossip = await openGossip({ name, seeds: async () => [], versions: SERF_VERSIONS, log, ...options });
    ours.set(name, gossip);
    return gossip;
  }

  /** The members and their status, as a serf agent lists them. */
  async function serfMembers(address: string): Promise<Record<string, string>> {
    const { stdout } = await execa(serf ?? '', ['members', `-rpc-addr=${address}:7373`, '-format=json']);
    const { members }: { members: readonly { name: string; status: string }[] } = JSON.parse(stdout);
    return Object.fromEntries(members.map(({ name, status }) => [name, status]));
  }

  const alive = (members: Record<string, string>): string[] =>
    Object.keys(members)
      .filter((name) => members[name] === 'alive')
      .sort();
  const names = (gossip: Gossip): string[] =>
    gossip
      .members()
      .map(({ name }) => name)
      .sort();

  /** Starts a mixed cluster in which all join the first serf agent. */
  async function mixed(each: number, flags: readonly string[] = []) {
    const key = randomBytes(32);
    const encrypt = `-encrypt=${key.toString('base64')}`;
    const serfs = Array.from({ length: each }, (_, index) => ({ name: `serf${index}`, address: nextAddress() }));
    const own = Array.from({ length: each }, (_, index) => ({ name: `ours${index}`, address: nextAddress() }));
    const seed = serfs[0]?.address ?? '';
    const seeds = async () => [{ address: seed, port: PORT }];
    for (const { name, address } of serfs) {
      await startSerf(name, address, [encrypt, ...flags, ...(address === seed ? [] : [`-join=${seed}:${PORT}`])]);
    }
    for (const { name, address: bindAddress } of own) await startOurs(name, { bindAddress, keys: [key], seeds });
    const all = [...own, ...serfs].map(({ name }) => name).sort();
    /** Agents and peers list exactly these members. */
    const seen = async (expected: readonly string[]): Promise<void> => {
      for (const { name, address } of serfs.filter((one) => expected.includes(one.name))) {
        const statuses = await serfMembers(address);
        expect(alive(statuses), `${name} sees ${JSON.stringify(statuses)}`).toEqual(expected);
      }
      for (const [, gossip] of [...ours].filter(([name]) => expected.includes(name))) {
        expect(names(gossip)).toEqual(expected);
      }
    };
    return { key, encrypt, serfs, own, seed, seeds, all, seen };
  }

  it.each([
    ['compressing', []],
    ['not compressing', ['-disable-compression']],
  ])('agrees on members that join, leave, fail and come back (serf %s)', async (_, flags) => {
    const { key, encrypt, serfs, own, seed, seeds, all, seen } = await mixed(4, flags);
    await vi.waitFor(() => seen(all), UNTIL_JOINED);

    const [, leaving, failing] = own;
    const [, serfLeaving, serfFailing] = serfs;
    if (!leaving || !failing || !serfLeaving || !serfFailing) throw new Error('four of each are needed');
    const without = (...gone: readonly { name: string }[]): string[] =>
      all.filter((name) => !gone.some((one) => one.name === name));

    ours.get(leaving.name)?.say(serfIntent('leave', leaving.name, 1000));
    await ours.get(leaving.name)?.leave();
    await execa(serf ?? '', ['leave', `-rpc-addr=${serfLeaving.address}:7373`]);
    await vi.waitFor(() => seen(without(leaving, serfLeaving)), WAIT);
    expect(await serfMembers(seed)).toMatchObject({ [leaving.name]: 'left', [serfLeaving.name]: 'left' });

    await ours.get(failing.name)?.close();
    await kill(children.get(serfFailing.name));
    await vi.waitFor(() => seen(without(leaving, serfLeaving, failing, serfFailing)), WAIT);
    expect(await serfMembers(seed)).toMatchObject({ [failing.name]: 'failed', [serfFailing.name]: 'failed' });

    for (const { name, address } of [serfLeaving, serfFailing]) {
      await startSerf(name, address, [encrypt, ...flags, `-join=${seed}:${PORT}`]);
      // An agent that joins while the agent it asks still lists another one as left takes that over, and lists it as leaving.
      await vi.waitFor(async () => expect(await serfMembers(seed)).toMatchObject({ [name]: 'alive' }), WAIT);
    }
    for (const { name, address: bindAddress } of [leaving, failing]) {
      const gossip = await startOurs(name, { bindAddress, keys: [key], seeds });
      await vi.waitFor(() => expect(names(gossip)).toContain(serfFailing.name), WAIT);
      gossip.say(serfIntent('join', name, 2000));
    }
    await vi.waitFor(() => seen(all), UNTIL_JOINED);
  });

  it('agrees on the members with twenty of each', async () => {
    const { serfs, own, all, seen } = await mixed(20);
    await vi.waitFor(() => seen(all), UNTIL_JOINED);
    const [serfFailing, failing] = [serfs[7]?.name ?? '', own[7]?.name ?? ''];
    await kill(children.get(serfFailing));
    await ours.get(failing)?.close();
    const living = all.filter((name) => name !== serfFailing && name !== failing);
    await vi.waitFor(() => seen(living), UNTIL_FAILED);
    expect(living).toHaveLength(38);
  });

  it('stays complete while nothing changes', async () => {
    const { all, seen } = await mixed(3);
    await vi.waitFor(() => seen(all), UNTIL_JOINED);
    const failures: string[] = [];
    for (const gossip of ours.values()) {
      gossip.subscribe((event) => {
        if (event.kind === 'fail' || event.kind === 'suspect') failures.push(`${gossip.name} ${event.member.name}`);
      });
    }
    // Every member probes every other one several times meanwhile.
    const endMs = Date.now() + 15_000;
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(endMs), { timeout: 20_000, interval: 500 });
    await seen(all);
    expect(failures).toEqual([]);
  });

  it('keeps out peers without the key, which learn and change nothing', async () => {
    const { all, seen, seeds } = await mixed(2);
    await vi.waitFor(() => seen(all), UNTIL_JOINED);
    const [first] = ours.values();
    const atOurs = async () => [{ address: first?.members()[0]?.address ?? '', port: PORT }];
    const strangers = [
      await startOurs('stranger', { bindAddress: nextAddress(), keys: [randomBytes(32)], seeds }),
      await startOurs('stranger2', { bindAddress: nextAddress(), keys: [randomBytes(32)], seeds: atOurs }),
      await startOurs('stranger3', { bindAddress: nextAddress(), keys: [randomBytes(32)], label: 'x', seeds: atOurs }),
    ];
    const endMs = Date.now() + 3000;
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(endMs), { timeout: 5000, interval: 200 });
    for (const stranger of strangers) expect(names(stranger)).toEqual([stranger.name]);
    await seen(all);
  });

  it('changes its key while it runs, and then refuses the old key', async () => {
    const { key, serfs, all, seen, seeds } = await mixed(2, []);
    await vi.waitFor(() => seen(all), UNTIL_JOINED);
    const next = randomBytes(32);
    const base64 = next.toString('base64');
    const everyone = (keys: readonly Uint8Array[]): void => {
      for (const gossip of ours.values()) gossip.replaceKeys(keys);
    };
    // serf distributes keys by queries, which only serf agents answer, so each agent is told separately.
    const keysOnSerfs = async (change: string): Promise<void> => {
      for (const { address } of serfs) {
        await execa(serf ?? '', ['keys', `-rpc-addr=${address}:7373`, change], { reject: false });
      }
    };
    everyone([key, next]);
    await keysOnSerfs(`-install=${base64}`);
    await keysOnSerfs(`-use=${base64}`);
    everyone([next, key]);
    await keysOnSerfs(`-remove=${key.toString('base64')}`);
    everyone([next]);
    const late = await startOurs('late', { bindAddress: nextAddress(), keys: [next], seeds });
    const old = await startOurs('old', { bindAddress: nextAddress(), keys: [key], seeds });
    await vi.waitFor(() => seen([...all, 'late'].sort()), UNTIL_JOINED);
    expect(names(late)).toHaveLength(5);
    expect(names(old)).toEqual(['old']);
  });
});

const WAIT = { timeout: 30_000, interval: 100 };
/**
 * memberlist sends a broadcast a few times to members that it chooses at random, so one may miss it, above all where
 * several join at once. It then learns the news by an exchange of states with another one: every 30 seconds, every
 * minute among forty members.
 */
const UNTIL_JOINED = { ...WAIT, timeout: 80_000 };
/**
 * The longest time that one of forty may take to call a silent member failed: it misses the broadcasts and learns of
 * the failure by an exchange of states a minute later. memberlist treats that as a suspicion, which without others to
 * confirm it lasts 6 (most) × 4 (suspicion multiplier) × log10(40) × 1 s (probe interval) = 38 s.
 */
const UNTIL_FAILED = { ...WAIT, timeout: 110_000 };

/**
 * serf distinguishes leaving from failing by messages of its own, types 0 and 1: a map with Go field names, in which
 * the greater logical time wins.
 */
function serfIntent(intent: 'leave' | 'join', node: string, logicalTime: number): Uint8Array {
  const out = new PackWriter().byte(intent === 'leave' ? 0 : 1).map(intent === 'leave' ? 3 : 2);
  out.key('LTime').uint(logicalTime).key('Node').text(node);
  return (intent === 'leave' ? out.key('Prune').bool(false) : out).finish();
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
