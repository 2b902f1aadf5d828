import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { trustedCertificates, type Keyset } from '@kopsctl/pki/keyset.ts';
import type { Gossip } from './gossip.ts';
import { openGossip } from './open-gossip.ts';
import { encodeRecord, encodeSignedRecord } from './records/record-codec.ts';
import type { GossipRecord, Stamp } from './records/record.ts';
import { RecordSigner } from './records/signed/record-signer.ts';
import { askByStream } from './transport/tcp.ts';
import { encodeMessage, encodePushPull } from './wire/encode-message.ts';
import type { Message, NodeBelief } from './wire/message.ts';
import { sealPacket } from './wire/packet.ts';

const PORT = 7946;
const WAIT = { timeout: 60_000, interval: 50 };
/** All of 127.0.0.0/8 is local; only this process uses this subnet. */
const subnet = `127.${90 + (Math.floor(process.pid / 256) % 50)}.${process.pid % 256}`;
const secrecy = { keys: [randomBytes(32)], label: 'demo' };
const API = 'api.internal';
const NO_BYTES = new Uint8Array();
const VERSIONS = { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 };

const SIGNED = 'api.signed';

/** Somebody who has the key, e.g. from a stolen worker, and is not a member. */
describe('the holder of a key', () => {
  const open: Gossip[] = [];
  const refused: string[] = [];
  let socket: Socket;

  let authority: Keyset;
  beforeAll(async () => {
    authority = await createCertificateAuthority({ commonName: 'gossip-records-ca', nowMs: Date.now() });
  });
  const identityOf = (index: number) =>
    issueLeaf({
      authority,
      commonName: `cp-${index}`,
      organizations: ['ControlPlane'],
      ipAddresses: [addressOf(index)],
      usages: ['client'],
      validityDays: 1,
      nowMs: Date.now(),
    });

  beforeEach(async () => {
    socket = createSocket('udp4');
    for (const index of [0, 1, 2]) {
      const seeds = open.slice(0, 1).map((gossip) => ({ address: gossip.members()[0]?.address ?? '', port: PORT }));
      const gossip = await openGossip({
        name: `cp-${index}`,
        bindAddress: addressOf(index),
        ...secrecy,
        seeds: async () => seeds,
        signing: {
          isReserved: (name) => name.startsWith(SIGNED),
          trust: { authoritiesPem: trustedCertificates(authority), identity: await identityOf(index) },
        },
        log: {
          info: () => undefined,
          warn: (line, fields) => void (line === 'message refused' && refused.push(String(fields?.['why']))),
        },
      });
      gossip.publish([API, SIGNED].map((name) => ({ name, type: 'A', addresses: [addressOf(index)] })));
      open.push(gossip);
    }
    await vi.waitUntil(() => open.every((gossip) => gossip.records().length === 6), WAIT);
  });
  afterEach(async () => {
    socket.close();
    await Promise.all(open.splice(0).map((gossip) => gossip.close()));
    refused.length = 0;
  });

  const addressOf = (index: number): string => `${subnet}.${index + 1}`;
  const tellAll = (message: Message): void => {
    const form = { compress: false, checksum: false, nonce: randomBytes(12) };
    for (const index of open.keys())
      socket.send(sealPacket([encodeMessage(message)], secrecy, form), PORT, addressOf(index));
  };
  /** What a peer that exchanges states would say of the first member. */
  const exchangeStates = async (belief: Partial<NodeBelief>): Promise<void> => {
    const first: NodeBelief = {
      name: 'cp-0',
      address: addressOf(0),
      port: PORT,
      meta: NO_BYTES,
      versions: VERSIONS,
      incarnation: 1,
      state: 'alive',
      ...belief,
    };
    const question = async () => encodePushPull({ kind: 'pushPull', join: false, nodes: [first], userState: NO_BYTES });
    for (const index of open.keys()) {
      await askByStream({ to: { address: addressOf(index), port: PORT }, question, secrecy, timeoutMs: 10_000 });
    }
  };
  const poison = (stamp: Stamp): void => {
    const record: GossipRecord = {
      name: API,
      type: 'A',
      owner: 'cp-0',
      addresses: ['6.6.6.6'],
      isDeleted: false,
      stamp,
    };
    tellAll({ kind: 'user', payload: encodeRecord(record) });
  };
  const namesAreRight = (wanted: readonly string[] = [API, SIGNED]): void => {
    const right = wanted.flatMap((name) => [0, 1, 2].map((index) => `${name} cp-${index} ${addressOf(index)}`));
    for (const gossip of open) {
      const shown = gossip.records().filter(({ name }) => wanted.includes(name));
      expect(shown.map(({ name, owner, addresses }) => `${name} ${owner} ${addresses.join()}`)).toEqual(right);
    }
  };
  const allAreMembers = (): void => {
    for (const gossip of open) {
      expect(
        gossip
          .members()
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(['cp-0', 'cp-1', 'cp-2']);
    }
  };

  it('cannot move or delete a reserved name, not even by records of its owner that are not signed', async () => {
    const stamp = { ms: Date.now() + 60_000, count: 0 };
    const forged = { name: SIGNED, type: 'A', owner: 'cp-0', addresses: ['6.6.6.6'], stamp, isDeleted: false };
    tellAll({ kind: 'user', payload: encodeRecord(forged) });
    tellAll({ kind: 'user', payload: encodeRecord({ ...forged, addresses: [], isDeleted: true }) });
    tellAll({ kind: 'user', payload: encodeRecord({ ...forged, owner: 'stolen-worker' }) });
    const identity = await identityOf(0);
    for (const record of [{ ...forged }, { ...forged, owner: 'cp-1', addresses: [addressOf(0)] }]) {
      tellAll({ kind: 'user', payload: encodeSignedRecord(new RecordSigner(identity, 'demo').sign(record)) });
    }
    await vi.waitFor(() => expect(refused.length).toBeGreaterThanOrEqual(3), WAIT);
    namesAreRight();
  });

  it('cannot remove a reserved name by declaring its owner dead, or that it left', async () => {
    await open[0]?.close();
    const others = open.slice(1);
    tellAll({ kind: 'dead', node: 'cp-0', incarnation: 100, from: 'cp-0' });
    await vi.waitFor(() => {
      for (const gossip of others) {
        expect(gossip.members().map(({ name }) => name)).not.toContain('cp-0');
        const names = gossip.records().map(({ name, owner, isOwnerPresent }) => ({ name, owner, isOwnerPresent }));
        expect(names).not.toContainEqual(expect.objectContaining({ name: API, owner: 'cp-0' }));
        expect(names).toContainEqual({ name: SIGNED, owner: 'cp-0', isOwnerPresent: false });
      }
    }, WAIT);
  });

  it('does not keep a machine from withdrawing its names when it leaves', async () => {
    const [leaving, ...others] = open;
    const names = Array.from({ length: 12 }, (_, index) => `${SIGNED}${index}`);
    leaving?.publish(names.map((name) => ({ name, type: 'A', addresses: [addressOf(0)] })));
    const ofLeaving = (gossip: Gossip): number => gossip.records().filter(({ owner }) => owner === 'cp-0').length;
    await vi.waitFor(() => expect(others.map(ofLeaving)).toEqual([12, 12]), WAIT);
    await leaving?.leave();
    await vi.waitFor(
      () => {
        expect(others.map(ofLeaving)).toEqual([0, 0]);
      },
      { timeout: 2000, interval: 10 },
    );
  });

  it('cannot move a name by a stamp of the far future', async () => {
    poison({ ms: 2 ** 47, count: 2 ** 32 - 1 });
    await vi.waitFor(() => expect(refused.length).toBeGreaterThanOrEqual(3), WAIT);
    namesAreRight();
  });

  it('cannot keep a name that it moved by the latest stamp that is taken', async () => {
    poison({ ms: Date.now() + 4 * 60_000, count: 2 ** 32 - 1 });
    await vi.waitFor(() => {
      namesAreRight();
      // The owner has written its record again.
      const own = open[1]?.records().find(({ owner, name }) => owner === 'cp-0' && name === API);
      expect(own?.stamp.ms).toBeGreaterThan(Date.now() + 60_000);
    }, WAIT);
    open[0]?.publish([{ name: API, type: 'A', addresses: [`${subnet}.9`] }]);
    await vi.waitFor(
      () =>
        expect(open[2]?.records().find(({ owner, name }) => owner === 'cp-0' && name === API)?.addresses).toEqual([
          `${subnet}.9`,
        ]),
      WAIT,
    );
  });

  it('cannot expel a member for ever by the largest incarnation', async () => {
    tellAll({ kind: 'dead', node: 'cp-0', incarnation: 2 ** 32 - 1, from: 'cp-1' });
    tellAll({ kind: 'dead', node: 'cp-0', incarnation: 2 ** 32 - 1, from: 'cp-0' });
    tellAll({ kind: 'suspect', node: 'cp-0', incarnation: 2 ** 32 - 1, from: 'cp-1' });
    await exchangeStates({ incarnation: 2 ** 32 - 1, state: 'left' });
    await vi.waitFor(() => expect(refused.length).toBeGreaterThanOrEqual(3), WAIT);
    allAreMembers();
    namesAreRight();
  });

  it('cannot speak for a member by the largest incarnation', async () => {
    const { address, port } = { address: addressOf(0), port: PORT };
    const alive = { kind: 'alive', node: 'cp-0', incarnation: 2 ** 32 - 1, address, port } as const;
    tellAll({ ...alive, meta: Buffer.from('forged'), versions: VERSIONS });
    await exchangeStates({ incarnation: 2 ** 32 - 1, meta: Buffer.from('forged') });
    await vi.waitFor(() => expect(refused.length).toBeGreaterThanOrEqual(3), WAIT);
    for (const gossip of open) {
      expect(gossip.members().find(({ name }) => name === 'cp-0')?.meta).toHaveLength(0);
    }
  });

  it('expels a member by the largest incarnation that is taken only until the member answers', async () => {
    const incarnation = Math.floor(Date.now() / 1000);
    tellAll({ kind: 'dead', node: 'cp-0', incarnation, from: 'cp-0' });
    await vi.waitFor(() => {
      allAreMembers();
      namesAreRight();
      const seen = open[1]?.members().find(({ name }) => name === 'cp-0');
      expect(seen?.incarnation).toBeGreaterThan(incarnation);
    }, WAIT);
  });
});
