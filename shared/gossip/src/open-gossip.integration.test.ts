import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { freePort } from '@kopsctl/test-peers/free-port.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LAN } from './swim/settings.ts';
import type { Gossip, GossipOptions } from './gossip.ts';
import { openGossip } from './open-gossip.ts';

const PORT = 7946;
// A machine that uses the name of another one waits until that one is declared dead, which takes several times as long
// on a busy machine.
const WAIT = { timeout: 90_000, interval: 100 };
/** All of 127.0.0.0/8 is local; only this process uses this subnet. */
const subnet = `127.${40 + (Math.floor(process.pid / 256) % 50)}.${process.pid % 256}`;
const key = randomBytes(32);

describe('peers', () => {
  const open: Gossip[] = [];
  let addresses = 0;
  let warnings: string[] = [];

  afterEach(async () => {
    await Promise.all(open.map((gossip) => gossip.close()));
    open.length = 0;
    warnings = [];
  });

  const nextAddress = (): string => `${subnet}.${(addresses += 1)}`;

  async function start(name: string, options: Partial<GossipOptions> = {}): Promise<Gossip> {
    const seeds = open.slice(0, 1).map((gossip) => ({ address: gossip.members()[0]?.address ?? '', port: PORT }));
    const log = { info: () => undefined, warn: (line: string) => void warnings.push(line) };
    const common = { name, bindAddress: nextAddress(), keys: [key], label: 'demo', seeds: async () => seeds, log };
    const gossip = await openGossip({ ...common, ...options });
    open.push(gossip);
    return gossip;
  }

  async function startAll(count: number): Promise<readonly Gossip[]> {
    for (let index = 0; index < count; index += 1) await start(`p${index}`);
    await vi.waitFor(() => {
      for (const gossip of open) expect(gossip.members()).toHaveLength(count);
    }, WAIT);
    return [...open];
  }

  const shown = (gossip: Gossip): string[] =>
    gossip.records().map(({ owner, name, addresses }) => `${owner} ${name} ${addresses.join(',')}`);

  it('hold the same records within a second, until the owner leaves', async () => {
    const all = await startAll(8);
    const [one, two] = all;
    const fromMs = Date.now();
    one?.publish([{ name: 'api.internal', type: 'A', addresses: ['10.0.0.1'] }]);
    two?.publish([{ name: 'api.internal', type: 'A', addresses: ['10.0.0.2'] }]);
    await vi.waitFor(() => {
      for (const gossip of all) expect(shown(gossip)).toEqual(['p0 api.internal 10.0.0.1', 'p1 api.internal 10.0.0.2']);
    }, WAIT);
    expect(Date.now() - fromMs).toBeLessThan(1000);

    const late = await start('late');
    await vi.waitFor(() => expect(shown(late)).toHaveLength(2), WAIT);
    await one?.leave();
    await vi.waitFor(() => {
      for (const gossip of open.slice(1)) expect(shown(gossip)).toEqual(['p1 api.internal 10.0.0.2']);
    }, WAIT);
  });

  it('find each other by IPv6 addresses', async () => {
    const [onePort, twoPort] = [await freePort(), await freePort()];
    const one = await start('one', { bindAddress: '::1', port: onePort, seeds: async () => [] });
    const seeds = async () => [{ address: '::1', port: onePort }];
    const two = await start('two', { bindAddress: '::1', port: twoPort, seeds });
    await vi.waitFor(
      () => expect(one.members().map(({ name, address }) => [name, address])).toContainEqual(['two', '::1']),
      WAIT,
    );
    one.publish([{ name: 'api.internal', type: 'AAAA', addresses: ['2001:db8::7'] }]);
    await vi.waitFor(() => expect(shown(two)).toEqual(['one api.internal 2001:db8::7']), WAIT);
    two.publish([{ name: 'api.internal', type: 'AAAA', addresses: ['2001:db8::8'] }]);
    await vi.waitFor(() => expect(shown(one)).toHaveLength(2), WAIT);
  });

  it('receive a user message once each', async () => {
    const all = await startAll(5);
    const heard: string[] = [];
    for (const gossip of all) {
      gossip.subscribe((event) => {
        if (event.kind === 'user') heard.push(`${gossip.name} ${Buffer.from(event.payload).toString()}`);
      });
    }
    all[0]?.say(Buffer.from('hello'));
    await vi.waitFor(
      () => expect(heard.toSorted()).toEqual(['p1', 'p2', 'p3', 'p4'].map((name) => `${name} hello`)),
      WAIT,
    );
  });

  it('bring in new peers that know no other, even many at once', async () => {
    const newcomers = Array.from({ length: 6 }, nextAddress);
    // A control plane's cloud lists machines long before they listen.
    const seeds = async () => newcomers.map((address) => ({ address, port: PORT }));
    await start('lists', { seeds });
    await start('other');
    await vi.waitFor(() => expect(open[0]?.members()).toHaveLength(2), WAIT);
    warnings = [];
    for (const [index, bindAddress] of newcomers.entries()) {
      await start(`newcomer${index}`, { bindAddress, seeds: async () => [] });
    }
    await vi.waitFor(() => {
      for (const gossip of open) expect(gossip.members()).toHaveLength(8);
    }, WAIT);
    // Machines that are still booting are not worth a warning.
    expect(warnings).toEqual([]);
  });

  it('let a killed peer that restarts without seeds join again before they notice its failure', async () => {
    // No exchanges of states other than joins.
    const settings = { ...LAN, pushPullIntervalMs: 3_600_000 };
    await start('p0', { settings });
    await start('p1', { settings });
    const [first, second] = open;
    await vi.waitFor(() => expect(first?.members()).toHaveLength(2), WAIT);
    const missed = vi.fn<() => void>();
    first?.subscribe(({ kind }) => kind === 'fail' && missed());
    const bindAddress = second?.members()[0]?.address ?? '';
    await second?.close();
    const again = await start('p1', { settings, bindAddress, seeds: async () => [] });
    await vi.waitFor(() => expect(again.members()).toHaveLength(2), WAIT);
    expect(missed).not.toHaveBeenCalled();
  });

  it('bring in new peers while other seeds accept streams and send nothing', async () => {
    const silent = createServer();
    const seeds = Array.from({ length: 4 }, () => ({ address: nextAddress(), port: PORT }));
    silent.listen(PORT, seeds[0]?.address);
    await once(silent, 'listening');
    try {
      await start('lists', { seeds: async () => seeds });
      await start('other');
      for (const { address } of seeds.slice(1)) {
        const joined = await start(`at ${address}`, { bindAddress: address, seeds: async () => [] });
        await vi.waitFor(() => expect(joined.members().length).toBeGreaterThan(2), { timeout: 8000, interval: 50 });
      }
    } finally {
      silent.close();
    }
  });

  it('accept a machine that comes back with its name and another address', async () => {
    const all = await startAll(4);
    await all[3]?.close();
    const bindAddress = nextAddress();
    const again = await start('p3', { bindAddress });
    await vi.waitFor(() => {
      expect(again.members()).toHaveLength(4);
      for (const gossip of all.slice(0, 3)) {
        expect(gossip.members().find(({ name }) => name === 'p3')?.address).toBe(bindAddress);
      }
    }, WAIT);
  });

  it.each([
    ['none of them remembers', 0],
    ['one of them remembers', 1],
  ])('find each other when they come back with other addresses and %s the old ones', async (_, survivors) => {
    const count = 8;
    const before = await startAll(count);
    const say = (gossip: Gossip): void => {
      const address = gossip.members()[0]?.address ?? '';
      gossip.publish([{ name: 'api.internal', type: 'A', addresses: [address] }]);
    };
    for (const gossip of before) say(gossip);
    await vi.waitFor(() => {
      for (const gossip of before) expect(shown(gossip)).toHaveLength(count);
    }, WAIT);
    for (const gossip of before.slice(survivors)) await gossip.close();
    open.length = survivors;

    const wanted = new Map(
      before.slice(0, survivors).map((gossip) => [gossip.name, gossip.members()[0]?.address ?? '']),
    );
    for (const { name } of before.slice(survivors)) wanted.set(name, nextAddress());
    // As the cloud lists them: all machines with their current addresses.
    const seeds = [...wanted.values()].map((address) => ({ address, port: PORT }));
    const starting = before.slice(survivors).map(async ({ name }) => {
      say(await start(name, { bindAddress: wanted.get(name) ?? '', seeds: async () => seeds }));
    });
    await Promise.all(starting);
    await vi.waitFor(() => {
      for (const gossip of open) {
        expect(new Map(gossip.members().map(({ name, address }) => [name, address]))).toEqual(wanted);
        expect(shown(gossip)).toEqual([...wanted].map(([name, address]) => `${name} api.internal ${address}`));
      }
    }, WAIT);
  });

  it('stay one cluster while they change their keys one after the other', async () => {
    const all = await startAll(3);
    const next = randomBytes(16);
    const heard = new Set<string>();
    for (const gossip of all) {
      gossip.subscribe((event) => {
        if (event.kind === 'user') heard.add(`${gossip.name} ${Buffer.from(event.payload).toString()}`);
      });
    }
    for (const [step, keys] of [[key, next], [next, key], [next]].entries()) {
      for (const gossip of all) {
        gossip.replaceKeys(keys);
        gossip.say(Buffer.from(`step ${step} of ${gossip.name}`));
      }
      // A peer that has received a message of this step has read all packets of earlier steps before it.
      const expected = all.flatMap(({ name }) =>
        all.filter((from) => from.name !== name).map((from) => `${name} step ${step} of ${from.name}`),
      );
      await vi.waitFor(() => expect([...heard]).toEqual(expect.arrayContaining(expected)), WAIT);
    }
    expect(warnings.filter((line) => line === 'message refused')).toEqual([]);
  });

  it('keep working while random bytes arrive at their ports', async () => {
    const all = await startAll(3);
    const address = all[0]?.members()[0]?.address ?? '';
    const socket = createSocket('udp4');
    for (let count = 0; count < 2000; count += 1) socket.send(randomBytes(count % 1400), PORT, address);
    const streams = Array.from({ length: 50 }, (_, count) => {
      const stream = connect({ host: address, port: PORT });
      stream.on('error', () => undefined);
      stream.write(count % 2 === 0 ? randomBytes(1000) : Buffer.of(10, 0, 0xff, 0xff, 0xff));
      return stream;
    });
    const late = await start('late');
    await vi.waitFor(() => expect(late.members()).toHaveLength(4), WAIT);
    expect(warnings.some((line) => line === 'message refused')).toBe(true);
    expect(warnings.length).toBeLessThan(20);
    for (const stream of streams) stream.destroy();
    socket.close();
    for (const gossip of all) expect(gossip.members()).toHaveLength(4);
  });

  it('refuse to start without a key, or at an address that other peers cannot reach', async () => {
    await expect(start('nobody', { keys: [] })).rejects.toThrow('there is no key');
    await expect(start('nobody', { keys: [randomBytes(20)] })).rejects.toThrow('a key has 20 bytes');
    await expect(start('nobody', { bindAddress: '0.0.0.0' })).rejects.toThrow('one address');
    const [one] = await startAll(1);
    await expect(start('twin', { bindAddress: one?.members()[0]?.address ?? '' })).rejects.toThrow('port 7946');
  });
});
