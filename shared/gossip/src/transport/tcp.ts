import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Endpoint } from '../swim/endpoint.ts';
import { Refusal } from '../wire/refusal.ts';
import type { Secrecy } from '../wire/secrecy.ts';
import { openStream, sealStream, type StreamMessage } from '../wire/stream.ts';
import { readStreamMessage } from './read-stream.ts';
import { UnprovenStreams } from './unproven-streams.ts';

/** memberlist TCPTimeout. */
export const STREAM_TIMEOUT_MS = 10_000;
/**
 * A machine that is booting does not answer at all. TCP retransmits its SYN after one second (RFC 6298, section 2.1),
 * so two seconds allow for one lost packet.
 */
const CONNECT_WITHIN_MS = 2000;
/** The limit of all streams, whether they proved the key or not. */
const MAX_STREAMS = 256;
/** A question and its answer. The one who asked waits no longer either. */
const STREAM_LASTS_MS = 2 * STREAM_TIMEOUT_MS;
const NONCE_BYTES = 12;
/** About the state of some hundred nodes. Compressing less takes more time than it saves in sending. */
const COMPRESS_FROM_BYTES = 64 * 1024;

export interface StreamHandlers {
  /** Returns the answer to a message; undefined closes the stream without one. */
  onMessage(from: Endpoint, message: StreamMessage): Uint8Array | undefined;
  onRefused(from: Endpoint, refusal: Refusal): void;
  /** A stream failed or timed out. */
  onBroken(from: Endpoint, why: string): void;
}

export interface StreamServer {
  close(): Promise<void>;
}

/**
 * Serves the streams of other peers. Every stream has a timeout, so no peer can hold a connection or memory for longer,
 * and streams that have not proved the key share a bounded part of both.
 */
export async function serveStreams(
  at: Endpoint,
  secrecy: () => Secrecy,
  handlers: StreamHandlers,
): Promise<StreamServer> {
  const open = new Set<Socket>();
  const unproven = new UnprovenStreams();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    // A byte now and then would keep it open for ever, and streams that have proved the key share only the limit of all.
    const ending = setTimeout(() => socket.destroy(), STREAM_LASTS_MS);
    socket.once('close', () => {
      clearTimeout(ending);
      open.delete(socket);
    });
    // Also closes a stream that the other side keeps open after its answer.
    socket.setTimeout(STREAM_TIMEOUT_MS, () => socket.destroy());
    void serve(socket, unproven, secrecy, handlers);
  });
  server.maxConnections = MAX_STREAMS;
  try {
    server.listen(at.port, at.address);
    await once(server, 'listening');
  } catch (cause) {
    throw new ActionableError({
      what: `gossip from ${at.address} port ${at.port}`,
      why: messageOf(cause),
      next: `stop the process that uses TCP port ${at.port}, or choose an address of this machine`,
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

async function serve(
  socket: Socket,
  unproven: UnprovenStreams,
  secrecy: () => Secrecy,
  handlers: StreamHandlers,
): Promise<void> {
  const from = { address: plainAddress(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 };
  const close = (why: string): unknown => socket.destroy(new Error(why));
  const stream = { address: from.address, sinceMs: performance.now(), bytes: 0, close };
  if (!unproven.enter(stream)) {
    socket.destroy();
    return;
  }
  socket.on('data', (chunk) => unproven.grew(stream, chunk.length));
  try {
    const message = await readStreamMessage(socket, STREAM_TIMEOUT_MS, (bytes) =>
      openStream(bytes, secrecy(), 'dialler'),
    );
    unproven.leave(stream);
    const answer = handlers.onMessage(from, message);
    if (answer === undefined) socket.destroy();
    else socket.end(sealed(answer, secrecy(), false));
  } catch (thrown) {
    socket.destroy();
    if (thrown instanceof Refusal) handlers.onRefused(from, thrown);
    else handlers.onBroken(from, messageOf(thrown));
  } finally {
    unproven.leave(stream);
  }
}

export interface StreamQuestion {
  readonly to: Endpoint;
  readonly question: () => Promise<Uint8Array>;
  readonly secrecy: Secrecy;
  /** How long to wait for the whole answer. */
  readonly timeoutMs: number;
}

/**
 * Sends a question to a peer by TCP and returns the answer. The question is built only after the connection is open,
 * because building it can be expensive. Throws a Refusal, or the network's error.
 */
export async function askByStream({ to, question, secrecy, timeoutMs }: StreamQuestion): Promise<StreamMessage> {
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

/** A dual-stack server reports an IPv4 peer as an IPv4-mapped IPv6 address. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
