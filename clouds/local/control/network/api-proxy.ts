import { once } from 'node:events';
import { type Server, type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const API_PORT = 443;
/** An API server that serves answers a handshake in milliseconds; on busy processors it may take longer than this, and then races. */
const HEAD_START_MS = 250;
/** As kubectl's own limit for a handshake. Nothing more is to be expected after it. */
const ANSWER_TIMEOUT_MS = 10_000;

/** TLS's record header: type, version (2 bytes), length (2 bytes). RFC 8446, 5.1. */
const RECORD_HEADER_BYTES = 5;
const HANDSHAKE = 22;

/**
 * Forwards each connection on the host's port to the API server of a control-plane machine, in turn. It sends the client's
 * first message on, and if that machine does not answer in a moment, the next machine gets the same message: a machine that
 * is gone does not even refuse, and a starting API server accepts connections seconds before it serves. The first that
 * answers has the connection. The listening socket belongs to the host while this process runs in the network of the
 * cluster; nothing else connects the two.
 */
export function proxyApi(
  listening: Server,
  controlPlaneAddresses: () => readonly string[],
  port: number = API_PORT,
): void {
  let turn = 0;
  listening.on('connection', (client) => {
    client.on('error', () => client.destroy());
    const forward = async (): Promise<void> => {
      const hello = await firstMessage(client);
      const addresses = controlPlaneAddresses();
      turn += 1;
      const inTurn = addresses.map((_, index) => addresses[(index + turn) % addresses.length] ?? '');
      const upstream = await firstToAnswer(inTurn, port, hello);
      if (client.destroyed) upstream.destroy();
      else join(client, upstream);
    };
    forward().catch(() => client.resetAndDestroy());
  });
}

/** What a client of TLS says first. It says no more before it has an answer, so that several servers may be asked. */
async function firstMessage(client: Socket): Promise<Buffer> {
  client.setTimeout(ANSWER_TIMEOUT_MS, () => client.destroy());
  let message = Buffer.alloc(0);
  const ended = once(client, 'close').then(() => {
    throw new Error('the client has said nothing');
  });
  while (!isWhole(message)) {
    await Promise.race([once(client, 'readable'), ended]);
    message = Buffer.concat([message, client.read() ?? Buffer.alloc(0)]);
  }
  ended.catch(() => undefined);
  client.setTimeout(0);
  return message;
}

function isWhole(message: Buffer): boolean {
  if (message.length === 0) return false;
  // An API server refuses what is not TLS; it says so itself.
  if (message[0] !== HANDSHAKE) return true;
  return message.length >= RECORD_HEADER_BYTES && message.length >= RECORD_HEADER_BYTES + message.readUInt16BE(3);
}

/** @throws if none answers */
async function firstToAnswer(addresses: readonly string[], port: number, hello: Buffer): Promise<Socket> {
  const answered = new AbortController();
  const attempts: Promise<Socket>[] = [];
  for (const host of addresses) {
    attempts.push(ask(host, port, hello, answered.signal));
    const isAnswered = Promise.any(attempts).then(
      () => true,
      () => false,
    );
    if (await Promise.race([isAnswered, sleep(HEAD_START_MS, false)])) break;
  }
  try {
    const first = await Promise.any(attempts);
    for (const attempt of attempts) attempt.then((other) => other !== first && other.destroy()).catch(() => undefined);
    return first;
  } finally {
    answered.abort();
  }
}

const ENDS = ['timeout', 'end', 'close'] as const;

/**
 * A connection on which the server has begun to answer; the answer can still be read from it.
 *
 * @throws if there is no answer, or `givenUp` is aborted before it
 */
function ask(host: string, port: number, hello: Buffer, givenUp: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, timeout: ANSWER_TIMEOUT_MS });
    const failed = (): void => {
      socket.destroy();
      reject(new Error(`${host} does not answer`));
    };
    const answered = (): void => {
      // At the end of a connection there is nothing to read; reading tells.
      if (socket.readableLength === 0) return void socket.read();
      socket.off('readable', answered);
      for (const event of ENDS) socket.off(event, failed);
      givenUp.removeEventListener('abort', failed);
      socket.setTimeout(0);
      resolve(socket);
    };
    socket.on('error', () => socket.destroy());
    socket.on('readable', answered);
    for (const event of ENDS) socket.once(event, failed);
    givenUp.addEventListener('abort', failed, { once: true });
    socket.write(hello);
  });
}

function join(client: Socket, upstream: Socket): void {
  client.setNoDelay(true);
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
  client.pipe(upstream).pipe(client);
}
