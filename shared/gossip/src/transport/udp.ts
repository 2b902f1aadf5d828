import { randomBytes } from 'node:crypto';
import { createSocket, type Socket, type SocketOptions } from 'node:dgram';
import { once } from 'node:events';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { OutgoingPacket } from '../swim/effects.ts';
import type { Endpoint } from '../swim/endpoint.ts';
import type { Message } from '../wire/message.ts';
import { NewsDecoder } from '../wire/news-decoder.ts';
import { openPacket, sealPacket } from '../wire/packet.ts';
import type { Refusal } from '../wire/refusal.ts';
import type { Secrecy } from '../wire/secrecy.ts';

/** Enough for a burst of packets from a thousand peers (memberlist udpRecvBufSize tries 2 MiB). */
const RECEIVE_BUFFER_BYTES = 2 * 1024 * 1024;
const NONCE_BYTES = 12;

export interface PacketHandlers {
  onMessages(from: Endpoint, messages: readonly Message[]): void;
  onRefused(from: Endpoint, refusal: Refusal): void;
  /** A packet could not be sent. Gossip tolerates that, so it is only reported. */
  onSendError(to: Endpoint, why: string): void;
}

export interface PacketSocket {
  send(packet: OutgoingPacket): void;
  close(): Promise<void>;
}

/** Opens the UDP socket. It encrypts every packet it sends and drops every packet it cannot decrypt. */
export async function openPacketSocket(
  at: Endpoint,
  secrecy: () => Secrecy,
  handlers: PacketHandlers,
): Promise<PacketSocket> {
  const type = at.address.includes(':') ? 'udp6' : 'udp4';
  // Endpoints hold addresses, not names, so the lookup before each packet is skipped.
  const lookup: SocketOptions['lookup'] = (address, _, found) => found(null, address, type === 'udp6' ? 6 : 4);
  const socket = createSocket({ type, recvBufferSize: RECEIVE_BUFFER_BYTES, lookup });
  const decoder = new NewsDecoder();
  const decode = (bytes: Uint8Array): Message => decoder.decode(bytes);
  await bound(socket, at);
  socket.on('message', (bytes, { address, port }) => {
    const from = { address, port };
    const { messages, refusals } = openPacket(bytes, secrecy(), decode);
    for (const refusal of refusals) handlers.onRefused(from, refusal);
    if (messages.length > 0) handlers.onMessages(from, messages);
  });
  // Once a socket is bound, its errors are about single packets (ICMP).
  socket.on('error', (error) => handlers.onSendError(at, error.message));
  return {
    send({ to, parts }) {
      // Compressing a small packet costs several times what sealing it does. Compressed packets of other peers are
      // still read.
      const form = { compress: false, checksum: false, nonce: randomBytes(NONCE_BYTES) };
      const bytes = sealPacket(
        parts.map((part) => part.bytes),
        secrecy(),
        form,
      );
      socket.send(bytes, to.port, to.address, (error) => {
        if (error !== null) handlers.onSendError(to, error.message);
      });
    },
    async close() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

async function bound(socket: Socket, { address, port }: Endpoint): Promise<void> {
  try {
    // Registered before `bind`, because without a lookup the socket can be listening at once.
    const listening = once(socket, 'listening');
    socket.bind(port, address);
    await listening;
  } catch (cause) {
    throw new ActionableError({
      what: `gossip from ${address} port ${port}`,
      why: messageOf(cause),
      next: `stop the process that uses UDP port ${port}, or choose an address of this machine`,
      cause,
    });
  }
}
