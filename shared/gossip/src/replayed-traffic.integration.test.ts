import { randomBytes } from 'node:crypto';
import { createSocket, Socket as Packets } from 'node:dgram';
import { once } from 'node:events';
import { connect, Socket as Stream } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { trustedCertificates } from '@kopsctl/pki/keyset.ts';
import type { Gossip } from './gossip.ts';
import { openGossip } from './open-gossip.ts';
import { encodeMessage } from './wire/encode-message.ts';
import type { Message } from './wire/message.ts';
import { sealPacket } from './wire/packet.ts';

const PORT = 7946;
const WAIT = { timeout: 60_000, interval: 50 };
/** All of 127.0.0.0/8 is local; only this process uses this subnet. */
const subnet = `127.${150 + (Math.floor(process.pid / 256) % 50)}.${process.pid % 256}`;
const addressOf = (index: number): string => `${subnet}.${index + 1}`;
const secrecy = { keys: [randomBytes(32)], label: 'demo' };
const [OPEN, SIGNED] = ['api.open', 'api.signed'];

const open: Gossip[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((gossip) => gossip.close()));
});

const ownerOf = (index: number): string => `cp-${index}`;
const publish = (index: number, address: string): unknown =>
  open[index]?.publish([OPEN, SIGNED].map((name) => ({ name, type: 'A', addresses: [address] })));
const namesOf = (gossip: Gossip): readonly string[] =>
  gossip
    .records()
    .map(({ name, owner, addresses }) => `${name} ${owner} ${addresses.join()}`)
    .toSorted();
const membersOf = (gossip: Gossip): readonly string[] =>
  gossip
    .members()
    .map(({ name }) => name)
    .toSorted();

async function openPeers(): Promise<void> {
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'gossip-records-ca', nowMs });
  for (const index of [0, 1, 2]) {
    const identity = await issueLeaf({
      authority,
      commonName: ownerOf(index),
      organizations: ['ControlPlane'],
      ipAddresses: [7, index + 1].map((last) => `${subnet}.${last}`),
      usages: ['client'],
      validityDays: 1,
      nowMs,
    });
    const seeds = index === 0 ? [] : [{ address: addressOf(0), port: PORT }];
    open.push(
      await openGossip({
        name: ownerOf(index),
        bindAddress: addressOf(index),
        ...secrecy,
        seeds: async () => seeds,
        signing: {
          isReserved: (name) => name === SIGNED,
          trust: { authoritiesPem: trustedCertificates(authority), identity },
        },
        log: { info: () => undefined, warn: () => undefined },
      }),
    );
    publish(index, addressOf(index));
  }
}

const incarnationOf = (gossip: Gossip | undefined, index: number): number =>
  gossip?.members().find(({ name }) => name === ownerOf(index))?.incarnation ?? 0;

/** Sends packets to a peer, and returns when it has read them all: it objects to the last one, which suspects it. */
async function sendPackets(packets: readonly Uint8Array[], index: number): Promise<void> {
  const socket = createSocket('udp4');
  socket.connect(PORT, addressOf(index));
  await once(socket, 'connect');
  const send = promisify((packet: Uint8Array, sent: (error: Error | null) => void) => socket.send(packet, sent));
  for (const packet of packets) await send(packet);
  const incarnation = incarnationOf(open[index], index);
  await send(sealed({ kind: 'suspect', node: ownerOf(index), incarnation, from: 'cp-9' }));
  await vi.waitUntil(() => incarnationOf(open[index], index) > incarnation, WAIT);
  socket.close();
}

const sealed = (message: Message): Uint8Array =>
  sealPacket([encodeMessage(message)], secrecy, { compress: false, checksum: false, nonce: randomBytes(12) });

/** Sends what somebody else once sent over a connection, and waits until the peer has ended this one. */
async function sendStream(bytes: Uint8Array, host: string): Promise<void> {
  const socket = connect({ host, port: PORT });
  await once(socket, 'connect');
  socket.write(bytes);
  socket.resume();
  await once(socket, 'close');
}

it('what peers once sent changes nothing when somebody without a key sends it to them a second time', async () => {
  const packets = vi.spyOn(Packets.prototype, 'send');
  const said: Uint8Array[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- it is called for the stream that it was called for
  const { write } = Stream.prototype;
  vi.spyOn(Stream.prototype, 'write').mockImplementation(function (this: Stream, ...sent) {
    // A stream that has ended no longer knows its remote port.
    if (this.remotePort === PORT) said.push(sent[0] as Uint8Array);
    return Reflect.apply(write, this, sent);
  });
  await openPeers();
  await vi.waitUntil(() => open.every((gossip) => namesOf(gossip).length === 6), WAIT);

  publish(0, `${subnet}.7`);
  await vi.waitUntil(() => open.every((gossip) => namesOf(gossip).includes(`${SIGNED} cp-0 ${subnet}.7`)), WAIT);
  const suspected = incarnationOf(open[1], 0);
  await sendPackets([], 0);
  await vi.waitUntil(() => open.every((gossip) => incarnationOf(gossip, 0) > suspected), WAIT);
  publish(0, addressOf(0));
  await vi.waitUntil(() => open.every((gossip) => namesOf(gossip).includes(`${SIGNED} cp-0 ${addressOf(0)}`)), WAIT);

  await open.pop()?.leave();
  const names = [OPEN, SIGNED].flatMap((name) => [0, 1].map((index) => `${name} cp-${index} ${addressOf(index)}`));
  const members = ['cp-0', 'cp-1'];
  const isSettled = (gossip: Gossip): boolean =>
    namesOf(gossip).join() === names.join() && membersOf(gossip).join() === members.join();
  await vi.waitUntil(() => open.every(isSettled), WAIT);

  const heard = packets.mock.calls.map(([bytes]) => bytes as unknown as Uint8Array);
  vi.restoreAllMocks();
  // The recording holds two joins, one leave, and what each peer said meanwhile.
  expect(heard.length).toBeGreaterThan(30);
  expect(said.length).toBeGreaterThanOrEqual(2);

  for (const [index, gossip] of open.entries()) {
    for (const bytes of said) await sendStream(bytes, addressOf(index));
    for (const order of [heard, heard.toReversed()]) await sendPackets(order, index);
    expect(namesOf(gossip)).toEqual(names);
    expect(membersOf(gossip)).toEqual(members);
  }
});
