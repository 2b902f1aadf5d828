import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Socket } from 'node:net';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

export interface DnsServerEnv {
  readonly address: string;
  readonly port: number;
  readonly onListening: () => void;
  /** Undefined: the request gets no answer. */
  readonly answer: (request: Buffer, transport: 'udp' | 'tcp') => Promise<Buffer | undefined>;
}

/** More requests at the same time are dropped; their clients ask again. */
const MOST_AT_ONCE = 1000;
const MOST_CONNECTIONS = 100;
const IDLE_MS = 10_000;

/** Serves DNS by UDP and TCP until the signal ends it. */
export async function serveDns(
  { address, port, answer, onListening }: DnsServerEnv,
  signal: AbortSignal,
): Promise<void> {
  const udp = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const tcp = createServer({ noDelay: true }, (socket) => serveStream(socket, answer));
  tcp.maxConnections = MOST_CONNECTIONS;
  let pending = 0;
  udp.on('message', (request: Buffer, from: RemoteInfo) => {
    if (pending >= MOST_AT_ONCE) return;
    pending += 1;
    void respond(request, from).finally(() => (pending -= 1));
  });
  const respond = async (request: Buffer, from: RemoteInfo): Promise<void> => {
    const bytes = await answer(request, 'udp');
    // A client that has gone away is not an error.
    if (bytes !== undefined && !signal.aborted) udp.send(bytes, from.port, from.address, () => undefined);
  };
  try {
    udp.bind(port, address);
    await once(udp, 'listening', { signal });
    tcp.listen(port, address);
    await once(tcp, 'listening', { signal });
    onListening();
    const failed = new Promise<never>((_, reject) => {
      udp.once('error', reject);
      tcp.once('error', reject);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    await failed;
  } catch (error) {
    signal.throwIfAborted();
    throw new ActionableError({
      what: `serve the cluster's names at ${address}:${port}`,
      why: messageOf(error),
      next: `find the process that uses the port: ss -lnp sport = :${port}`,
      cause: error,
    });
  } finally {
    udp.close();
    tcp.close();
  }
}

/** By TCP a message is preceded by its length (RFC 1035 §4.2.2), and a connection carries several (RFC 7766). */
function serveStream(socket: Socket, answer: DnsServerEnv['answer']): void {
  let rest = Buffer.alloc(0);
  let turn = Promise.resolve();
  const inTurn = async (before: Promise<void>, request: Buffer): Promise<void> => {
    await before;
    const bytes = await answer(request, 'tcp');
    if (bytes === undefined || bytes.byteLength > 0xffff) socket.destroy();
    else socket.write(Buffer.concat([Buffer.from([bytes.byteLength >> 8, bytes.byteLength & 0xff]), bytes]));
  };
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.byteLength >= 2 && rest.byteLength >= 2 + rest.readUInt16BE()) {
      const length = rest.readUInt16BE();
      const request = rest.subarray(2, 2 + length);
      rest = rest.subarray(2 + length);
      turn = inTurn(turn, request);
    }
  });
}
