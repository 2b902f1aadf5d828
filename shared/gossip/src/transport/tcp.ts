import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Endpoint } from '../swim/effects.ts';
import { Refusal } from '../wire/refusal.ts';
import type { Secrecy } from '../wire/secrecy.ts';
import { openStream, sealStream, type StreamMessage } from '../wire/stream.ts';
import { readStreamMessage } from './read-stream.ts';

/** memberlist TCPTimeout. */
export const STREAM_TIMEOUT_MS = 10_000;
/** A machine that boots answers nothing at all; TCP asks a second time after one second (RFC 6298, section 2.1). */
const CONNECT_WITHIN_MS = 2000;
/** memberlist maxPushPullRequests: streams that are served at one time. */
const MAX_STREAMS = 128;
const NONCE_BYTES = 12;
/** A state of some hundred nodes; below that, making it smaller takes more time than sending it. */
const COMPRESS_FROM_BYTES = 64 * 1024;

export interface StreamHandlers {
  /** Answers what a stream brought; undefined closes it without an answer. */
  onMessage(from: Endpoint, message: StreamMessage): Uint8Array | undefined;
  onRefused(from: Endpoint, refusal: Refusal): void;
  /** A stream that broke off, or took too long. */
  onBroken(from: Endpoint, why: string): void;
}

export interface StreamServer {
  close(): Promise<void>;
}

/** Serves what peers ask by stream. No peer can hold a stream, or bytes in it, for longer than it takes to ask. */
export async function serveStreams(
  at: Endpoint,
  secrecy: () => Secrecy,
  handlers: StreamHandlers,
): Promise<StreamServer> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // Who has its answer and does not go is sent away.
    socket.setTimeout(STREAM_TIMEOUT_MS, () => socket.destroy());
    void serve(socket, secrecy, handlers);
  });
  server.maxConnections = MAX_STREAMS;
  try {
    server.listen(at.port, at.address);
    await once(server, 'listening');
  } catch (cause) {
    throw new ActionableError({
      what: `gossip from ${at.address} port ${at.port}`,
      why: messageOf(cause),
      next: `stop what else uses TCP port ${at.port}, or choose an address of this machine`,
      cause,
    });
  }
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function serve(socket: Socket, secrecy: () => Secrecy, handlers: StreamHandlers): Promise<void> {
  const from = { address: plainAddress(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 };
  try {
    const message = await readStreamMessage(socket, STREAM_TIMEOUT_MS, (bytes) =>
      openStream(bytes, secrecy(), 'dialler'),
    );
    const answer = handlers.onMessage(from, message);
    if (answer === undefined) socket.destroy();
    else socket.end(sealed(answer, secrecy(), false));
  } catch (thrown) {
    socket.destroy();
    if (thrown instanceof Refusal) handlers.onRefused(from, thrown);
    else handlers.onBroken(from, messageOf(thrown));
  }
}

/**
 * Asks a peer by stream and gives its answer. The question is made once there is a connection: where nobody listens it
 * would be made in vain. Throws Refusal, or the error of the network.
 */
export async function askByStream(
  to: Endpoint,
  question: () => Promise<Uint8Array>,
  secrecy: Secrecy,
  timeoutMs: number,
): Promise<StreamMessage> {
  const socket = connect({ host: to.address, port: to.port, noDelay: true });
  const refuse = (): unknown => socket.destroy(new Error(`no connection within ${CONNECT_WITHIN_MS} ms`));
  const connecting = setTimeout(refuse, CONNECT_WITHIN_MS);
  socket.once('connect', () => {
    clearTimeout(connecting);
    question().then(
      (message) => socket.destroyed || socket.write(sealed(message, secrecy, true)),
      (error: Error) => socket.destroy(error),
    );
  });
  try {
    return await readStreamMessage(socket, timeoutMs, (bytes) => openStream(bytes, secrecy, 'answerer'));
  } finally {
    clearTimeout(connecting);
    socket.destroy();
  }
}

function sealed(message: Uint8Array, secrecy: Secrecy, isDialler: boolean): Uint8Array {
  const compress = message.length >= COMPRESS_FROM_BYTES;
  return sealStream(message, secrecy, { compress, nonce: randomBytes(NONCE_BYTES), isDialler });
}

/** A server for both families names an IPv4 peer in IPv6 clothes. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
