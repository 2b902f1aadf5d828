import { createSocket } from 'node:dgram';
import { createConnection, isIPv6 } from 'node:net';

export interface NameServer {
  readonly host: string;
  readonly port: number;
}

/** Checks a received message. Returns true when the answer is complete, false to wait for more; throws to give up. */
export type Accept = (message: Buffer) => boolean;

/** The transports to a name server. Both resolve when `accept` returns true, and reject when it throws. */
export interface DnsTransport {
  udp(server: NameServer, request: Buffer, accept: Accept, timeoutMs: number): Promise<void>;
  tcp(server: NameServer, request: Buffer, accept: Accept, timeoutMs: number): Promise<void>;
}

/** No answer came in time. */
class NoDnsAnswerError extends Error {
  override readonly name = 'NoDnsAnswerError';
}

/** Enough for the transfer of a million records; limits the memory that a faulty server can use. */
const MAX_STREAM_BYTES = 128 * 1024 * 1024;

export const realTransport: DnsTransport = { udp, tcp };

async function udp(server: NameServer, request: Buffer, accept: Accept, timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
  const timer = setTimeout(() => reject(new NoDnsAnswerError(`no answer by UDP within ${timeoutMs} ms`)), timeoutMs);
  socket.on('error', reject);
  socket.once('connect', () => {
    socket.send(request, (error) => {
      if (error !== null) reject(error);
    });
  });
  // A connected socket receives packets only from that server, and reports a closed port (ICMP). With a callback, Node would
  // give an error, e.g. of a name that is not known, to that alone.
  socket.connect(server.port, server.host);
  socket.on('message', (message) => settle(() => accept(message), resolve, reject));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    socket.removeAllListeners('error').on('error', () => {});
    socket.close();
  }
}

async function tcp(server: NameServer, request: Buffer, accept: Accept, timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = createConnection(server);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(request.length);
  socket.write(Buffer.concat([length, request]));
  socket.setTimeout(timeoutMs, () => reject(new NoDnsAnswerError(`no answer by TCP within ${timeoutMs} ms`)));
  socket.on('error', reject);
  socket.on('close', () => reject(new NoDnsAnswerError('the connection was closed before the answer was complete')));
  let received = 0;
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received += chunk.length;
    if (received > MAX_STREAM_BYTES) reject(new Error(`the answer is larger than ${MAX_STREAM_BYTES} bytes`));
    pending = Buffer.concat([pending, chunk]);
    settle(
      () => {
        while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
          const end = 2 + pending.readUInt16BE(0);
          const message = pending.subarray(2, end);
          pending = pending.subarray(end);
          if (accept(message)) return true;
        }
        return false;
      },
      resolve,
      reject,
    );
  });
  try {
    await promise;
  } finally {
    socket.removeAllListeners('error').on('error', () => {});
    socket.destroy();
  }
}

function settle(isDone: () => boolean, resolve: () => void, reject: (thrown: unknown) => void): void {
  try {
    if (isDone()) resolve();
  } catch (thrown) {
    reject(thrown);
  }
}
