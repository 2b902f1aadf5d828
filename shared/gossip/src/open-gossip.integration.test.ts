import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LAN } from './swim/settings.ts';
import { openGossip, type Gossip, type GossipOptions } from './open-gossip.ts';

const PORT = 7946;
// A machine that took another's name waits for that one's death, with others at work several times as long.
const WAIT = { timeout: 90_000, interval: 100 };
/** All of 127.0.0.0/8 is this machine; this part of it is of this process alone. */
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

  it('hold the same records within a second, and until their owner says good-bye', async () => {
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

  it('hear what one of them says, once each', async () => {
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

  it('take in who knows nobody, as soon as it is there, also many at once', async () => {
    const newcomers = Array.from({ length: 6 }, nextAddress);
    // As a control plane sees it: machines are listed long before anybody listens on them.
    const seeds = async () => newcomers.map((address) => ({ address, port: PORT }));
    await start('lists', { seeds });
    await start('other');
    await vi.waitFor(() => expect(open[0]?.members()).toHaveLength(2), WAIT);
    warnings = [];
    for (const [index, bindAddress] of newcomers.entries()) {
      await start(`alone${index}`, { bindAddress, seeds: async () => [] });
    }
    await vi.waitFor(() => {
      for (const gossip of open) expect(gossip.members()).toHaveLength(8);
    }, WAIT);
    // Machines that boot are nothing to warn of.
    expect(warnings).toEqual([]);
  });

  it('are joined again by who was killed and remembers nobody, before they miss it', async () => {
    // No exchange of states but those of joins.
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

  it('take in who knows nobody though others accept their streams and say nothing', async () => {
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

  it('take a machine back that has its name and another address', async () => {
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
    ['nobody remembers', 0],
    ['one of them remembers', 1],
  ])('that all come back with other addresses, which %s, find each other by those', async (_, survivors) => {
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
    // As the cloud shows them: all machines with the addresses that they have now.
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

  it('change their key one after the other and stay together', async () => {
    const all = await startAll(3);
    const next = randomBytes(16);
    for (const keys of [[key, next], [next, key], [next]]) {
      for (const gossip of all) {
        gossip.replaceKeys(keys);
        gossip.say(randomBytes(16));
      }
    }
    const heard = vi.fn<() => void>();
    all[2]?.subscribe((event) => event.kind === 'user' && heard());
    all[0]?.say(Buffer.from('with the new key'));
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), WAIT);
    expect(warnings.filter((line) => line.startsWith('refused'))).toEqual([]);
  });

  it('are not troubled by whatever is thrown at their ports', async () => {
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
    expect(warnings.some((line) => line.startsWith('refused'))).toBe(true);
    expect(warnings.length).toBeLessThan(20);
    for (const stream of streams) stream.destroy();
    socket.close();
    for (const gossip of all) expect(gossip.members()).toHaveLength(4);
  });

  it('do not start without a key, or at an address that others cannot reach', async () => {
    await expect(start('nobody', { keys: [] })).rejects.toThrow('there is no key');
    await expect(start('nobody', { keys: [randomBytes(20)] })).rejects.toThrow('a key has 20 bytes');
    await expect(start('nobody', { bindAddress: '0.0.0.0' })).rejects.toThrow('one address');
    const [one] = await startAll(1);
    await expect(start('twin', { bindAddress: one?.members()[0]?.address ?? '' })).rejects.toThrow('port 7946');
  });
});
