import { describe, expect, it } from 'vitest';
import { PORT, SimulatedCluster, type SimulatedHost } from '../simulation/simulated-cluster.ts';
import type { SwimEvent } from './effects.ts';

/** A cluster whose members join the first one, and all events since. */
function clusterOf(count: number, loss = 0) {
  const told: { readonly by: string; readonly event: SwimEvent; readonly atMs: number }[] = [];
  const cluster = new SimulatedCluster({
    seed: 42,
    loss,
    onEvent: ({ name: by }, event) => told.push({ by, event: structuredClone(event), atMs: cluster.nowMs }),
  });
  const hosts = Array.from({ length: count }, () => cluster.start());
  const [first] = hosts;
  if (first === undefined) throw new Error('a cluster needs at least one host');
  for (const host of hosts.slice(1)) cluster.join(host, first);
  const knowsAll = (host: SimulatedHost): boolean => host.swim.members().length === count;
  return { cluster, hosts, told, first, knowsAll };
}

const believed = (hosts: readonly SimulatedHost[], about: SimulatedHost): string[] => [
  ...new Set(hosts.filter((host) => host !== about).map((host) => host.swim.member(about.name)?.state ?? 'unknown')),
];

describe('a cluster', () => {
  it.each([
    [2, 100],
    [5, 500],
    [20, 500],
    [100, 2000],
  ])('of %i peers that join at once is known to all of them within %i ms', (count, ms) => {
    const { cluster, hosts, knowsAll } = clusterOf(count);
    expect(cluster.runUntil(() => hosts.every(knowsAll), ms)).toBe(true);
  });

  it('does not change while only packets are lost', () => {
    const { cluster, hosts, told } = clusterOf(30, 0.05);
    cluster.run(120_000);
    expect(told.filter(({ event }) => event.kind === 'fail' || event.kind === 'conflict')).toEqual([]);
    expect(hosts.every((host) => host.swim.members().length === 30)).toBe(true);
  });

  it('detects a failed host: all members suspect it and then declare it dead', () => {
    const { cluster, hosts, told } = clusterOf(20);
    cluster.run(5000);
    const lost = hosts[7];
    if (lost === undefined) throw new Error('host 7 was not started');
    lost.isRunning = false;
    const fromMs = cluster.nowMs;
    const others = hosts.filter((host) => host !== lost);
    const failed = (): boolean => believed(others, lost).join('') === 'dead';
    expect(cluster.runUntil(failed, 30_000)).toBe(true);
    // Detected within 2 probe intervals, declared dead within 4·log10(20) s with confirmations, then broadcast.
    expect(cluster.nowMs - fromMs).toBeLessThan(9500);
    expect(told.filter(({ event }) => event.kind === 'fail')).toHaveLength(19);
    cluster.run(31_000);
    expect(believed(others, lost)).toEqual(['unknown']);
  });

  it('accepts machines that restart with other addresses while one member remembers the old ones', () => {
    const { cluster, hosts } = clusterOf(8);
    cluster.run(5000);
    const [survivor, ...old] = hosts;
    if (survivor === undefined) throw new Error('8 hosts are needed');
    for (const host of old) host.isRunning = false;
    const back = old.map(({ name }) => cluster.start(name));
    for (const host of back) cluster.join(host, survivor);
    const all = [survivor, ...back];
    const wanted = all.map(({ name, address }) => `${name} ${address}`).toSorted();
    const isSo = (): boolean =>
      all.every(({ swim }) => {
        const seen = swim.members().map(({ name, address }) => `${name} ${address}`);
        return seen.toSorted().join() === wanted.join();
      });
    // By then each is probed and suspected for four seconds, and its name is free one second later.
    expect(cluster.runUntil(isSo, 15_000)).toBe(true);
  });

  it('distinguishes a host that leaves from one that fails', () => {
    const { cluster, hosts, told } = clusterOf(10);
    cluster.run(3000);
    const leaving = hosts[4];
    if (leaving === undefined) throw new Error('host 4 was not started');
    cluster.step(leaving, { kind: 'leave' });
    const gone = (): boolean => believed(hosts, leaving).join('') === 'left';
    expect(cluster.runUntil(gone, 2000)).toBe(true);
    const isDone = (): boolean => told.some(({ by, event }) => by === leaving.name && event.kind === 'left');
    expect(cluster.runUntil(isDone, 5000)).toBe(true);
    expect(told.filter(({ event }) => event.kind === 'leave')).toHaveLength(9);
    expect(told.filter(({ event }) => event.kind === 'fail')).toEqual([]);
  });

  it('accepts a host that restarts without its state', () => {
    const { cluster, hosts, first, knowsAll } = clusterOf(10);
    cluster.run(3000);
    const lost = hosts[3];
    if (lost === undefined) throw new Error('host 3 was not started');
    lost.isRunning = false;
    cluster.runUntil(() => believed(hosts, lost).join('') === 'dead', 30_000);
    cluster.restart(lost);
    cluster.join(lost, first);
    expect(cluster.runUntil(() => believed(hosts, lost).join('') === 'alive' && knowsAll(lost), 3000)).toBe(true);
  });

  it('merges with a host that was cut off for longer than dead nodes are remembered', () => {
    const { cluster, hosts, first } = clusterOf(10);
    cluster.run(3000);
    const cutOff = hosts[5];
    if (cutOff === undefined) throw new Error('host 5 was not started');
    cutOff.isReachable = false;
    cluster.run(120_000);
    expect(cutOff.swim.members()).toHaveLength(1);
    cutOff.isReachable = true;
    cluster.join(cutOff, first);
    const isWhole = (): boolean => hosts.every((host) => host.swim.members().length === 10);
    expect(cluster.runUntil(isWhole, 10_000)).toBe(true);
  });

  it('accepts the refutation of a wrongly suspected host', () => {
    const { cluster, hosts, told } = clusterOf(10);
    cluster.run(3000);
    const [accuser, accused] = hosts;
    if (accuser === undefined || accused === undefined) throw new Error('two hosts are needed');
    const incarnation = accused.swim.member(accused.name)?.incarnation ?? 0;
    cluster.step(accuser, {
      kind: 'packet',
      from: { address: accuser.address, port: PORT },
      messages: [{ kind: 'suspect', node: accused.name, incarnation, from: 'n9' }],
    });
    expect(cluster.runUntil(() => told.some(({ event }) => event.kind === 'refuted'), 3000)).toBe(true);
    cluster.run(3000);
    expect(believed(hosts, accused)).toEqual(['alive']);
    expect(told.filter(({ event }) => event.kind === 'fail')).toEqual([]);
    expect(accuser.swim.member(accused.name)?.incarnation).toBeGreaterThan(incarnation);
  });

  it('sends no more packets than the gossip interval allows, however much there is to broadcast', () => {
    const { cluster, hosts } = clusterOf(20);
    cluster.run(3000);
    for (let count = 0; count < 200; count += 1) {
      const payload = Buffer.from(`news ${count} `.repeat(20));
      const host = hosts[count % 20];
      if (host !== undefined) cluster.step(host, { kind: 'say', about: `news ${count}`, payload, isOwn: true });
    }
    const before = cluster.packets;
    cluster.run(10_000);
    // Gossip: 3 packets 5 times a second; a probe and its answer once a second.
    expect(cluster.packets - before).toBeLessThanOrEqual(20 * 10 * (3 * 5 + 2) + 20 * 3);
  });

  it('delivers a user message that is longer than its share while membership changes fill every packet', () => {
    const { cluster, hosts, told } = clusterOf(40);
    cluster.run(3000);
    const payload = Buffer.alloc(700, 1);
    const [speaker, ...others] = hosts;
    if (speaker === undefined) throw new Error('forty hosts were started');
    const change = (): void => {
      for (const host of others)
        cluster.step(host, { kind: 'meta', meta: Buffer.alloc(300, Math.floor(cluster.nowMs)) });
      cluster.at(cluster.nowMs + 100, change);
    };
    change();
    cluster.run(500);
    cluster.step(speaker, { kind: 'say', about: 'long', payload, isOwn: true });
    const heardBy = (): number => new Set(told.filter(({ event }) => event.kind === 'user').map(({ by }) => by)).size;
    expect(cluster.runUntil(() => heardBy() === others.length, 3000)).toBe(true);
  });
});
