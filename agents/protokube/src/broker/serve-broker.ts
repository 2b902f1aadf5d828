import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '@kopsctl/agent/log.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import { printFailure } from '@kopsctl/node-identity/broker-messages.ts';
import { OPERATIONS, type OperationsEnv } from './operations.ts';
import { BrokerRefusal } from './refusal.ts';

/** An authority has half as many connections. With a report in each, they take 32 MiB, and no more are accepted. */
const MAX_CONNECTIONS = 64;
/** How long a request may take to arrive: from the same machine, it takes a moment. */
const REQUEST_MS = 10_000;
/** Longer than the pause between two lists, so that an authority need not connect again each time. */
const KEEP_ALIVE_MS = 60_000;
/** Refusals are logged once in this time: a caller that asks for what is refused must not fill the journal. */
const TELL_EVERY_MS = 10_000;

interface Connection {
  /** Aborted at its end. All its requests share it: an agent that makes one for each grows until V8 sees a reason to collect. */
  readonly signal: AbortSignal;
  isBusy: boolean;
}

/**
 * The server of the broker, not listening yet. The authority talks to the network, so its requests are treated
 * as an attacker's: one request at a time on a connection, and all of them bounded.
 */
export function brokerServer(env: OperationsEnv, log: Log, signal: AbortSignal): Server {
  const connections = new WeakMap<object, Connection>();
  const tell = tellSometimes(log);
  const limits = {
    maxHeaderSize: 4096,
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: REQUEST_MS / 2,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server = createServer(limits, (request, response) => {
    const connection = connections.get(request.socket);
    // Node.js reads on while an answer is being made, and keeps what it has read in memory.
    if (connection === undefined || connection.isBusy) return void request.socket.destroy();
    connection.isBusy = true;
    response.once('close', () => (connection.isBusy = false));
    void answer(request, response, env, connection.signal, tell);
  });
  server.on('connection', (socket) => {
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    connections.set(socket, { signal: AbortSignal.any([signal, gone.signal]), isBusy: false });
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** Never rejects. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  env: OperationsEnv,
  signal: AbortSignal,
  tell: (path: string | undefined, refusal: BrokerRefusal) => void,
): Promise<void> {
  try {
    const text = await answerTo(request, env, signal);
    response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text);
  } catch (error) {
    if (signal.aborted) return;
    const body = printFailure(failureOf(error));
    if (!(error instanceof BrokerRefusal)) response.writeHead(500).end(body);
    else if (error.status === 404) response.writeHead(404).end(body);
    else {
      tell(request.url, error);
      // The rest of the request is not read.
      response.writeHead(error.status, { connection: 'close' }).end(body);
    }
  }
}

async function answerTo(
  request: IncomingMessage,
  env: OperationsEnv,
  signal: AbortSignal,
): Promise<string | Uint8Array> {
  const { method, url = '' } = request;
  const operation = method === 'POST' && Object.hasOwn(OPERATIONS, url) ? OPERATIONS[url] : undefined;
  if (operation === undefined) throw new BrokerRefusal(400, `there is no ${method} ${url}`);
  const { maxBytes } = operation;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let body: Buffer;
  try {
    body = await readWhole(request, maxBytes);
  } catch {
    throw tooLarge(maxBytes);
  }
  return operation.answer(body, env, signal);
}

const tooLarge = (maxBytes: number): BrokerRefusal =>
  new BrokerRefusal(413, `its message is larger than ${maxBytes} bytes`);

const failureOf = (error: unknown) =>
  error instanceof ActionableError
    ? error
    : {
        what: 'do what the authority asked for',
        why: messageOf(error),
        next: '`journalctl -u protokube` on this machine may say more',
      };

function tellSometimes(log: Log): (path: string | undefined, refusal: BrokerRefusal) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (path, refusal) => {
    const nowMs = performance.now();
    if (nowMs - toldMs < TELL_EVERY_MS) return;
    toldMs = nowMs;
    log.warn('refused a request of the authority', { path, error: refusal });
  };
}
