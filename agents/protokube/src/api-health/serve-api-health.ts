import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '@kopsctl/agent/log.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { AskApiServer } from './ask-api-server.ts';

/** Several checkers of a load balancer ask at about the same time. None of them can make the API server work more than this often. */
const FRESH_MS = 500;
/** Checkers ask with a few bytes, and have a handful of connections. */
const LIMITS = { requestTimeout: 5000, headersTimeout: 5000, keepAliveTimeout: 5000, maxHeaderSize: 4096 };
const MAX_CONNECTIONS = 64;

export interface ApiHealthEnv {
  readonly ask: AskApiServer;
  /** Called with the port once it accepts connections. */
  readonly onListening?: (port: number) => void;
  readonly log: Log;
}

/**
 * Tells load balancers, which have no certificate, whether the API server of this machine is ready: `/healthz` is answered
 * with 200 or 503 until the signal aborts. It listens on all addresses, because a load balancer asks at its own address.
 * A caller learns this one bit.
 */
export async function serveApiHealth(port: number, env: ApiHealthEnv, signal: AbortSignal): Promise<void> {
  const isReady = readiness(env, signal);
  const server = createServer(LIMITS, (request, response) => {
    const answer = async (): Promise<void> => {
      if (request.url !== '/healthz') return void response.writeHead(404).end();
      const ready = await isReady();
      response.writeHead(ready ? 200 : 503, { 'content-type': 'text/plain' }).end(ready ? 'ok\n' : 'not ready\n');
    };
    // The agent ends; so does the connection.
    answer().catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port);
  try {
    await once(server, 'listening', { signal });
  } catch (cause) {
    throw new ActionableError({
      what: `answer health checks of load balancers on port ${port}`,
      why: messageOf(cause),
      next: `find the process that uses the port: ss -tlnp sport = :${port}`,
      cause,
    });
  }
  env.onListening?.((server.address() as AddressInfo).port);
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  signal.addEventListener('abort', end, { once: true });
  await once(server, 'close');
}

/** The last answer for as long as it is fresh, otherwise a new one. A change is logged. */
function readiness({ ask, log }: ApiHealthEnv, signal: AbortSignal): () => Promise<boolean> {
  let last: { readonly atMs: number; readonly ready: Promise<boolean> } | undefined;
  let told: boolean | undefined;
  const askOnce = async (): Promise<boolean> => {
    const why = await ask(signal);
    const ready = why === undefined;
    if (ready !== told) {
      if (ready) log.info('the API server is ready: load balancers may send traffic to it');
      else log.warn('the API server is not ready: load balancers send traffic elsewhere', { why });
    }
    told = ready;
    return ready;
  };
  return () => {
    const nowMs = performance.now();
    if (last === undefined || nowMs - last.atMs > FRESH_MS) last = { atMs: nowMs, ready: askOnce() };
    return last.ready;
  };
}
