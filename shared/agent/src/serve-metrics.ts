import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** The metrics and the health of an agent. */
export interface AgentMetrics {
  /** In Prometheus's text format. */
  text(): Promise<string>;
  /** What is wrong, one line each; empty when the agent is healthy. */
  faults(): readonly string[];
}

/**
 * Serves `/metrics` for Prometheus and `/healthz` (200, or 503 with a line for each fault) on the loopback interface until
 * the signal aborts. Neither holds secrets.
 */
export async function serveMetrics(metrics: AgentMetrics, port: number, signal: AbortSignal): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      switch (request.url) {
        case '/metrics': {
          // Read before the head is written: after that, a failure could not be told any more.
          const text = await metrics.text();
          response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text);
          return;
        }
        case '/healthz': {
          const faults = metrics.faults();
          const text = faults.length === 0 ? 'ok\n' : `${faults.join('\n')}\n`;
          response.writeHead(faults.length === 0 ? 200 : 503, { 'content-type': 'text/plain' }).end(text);
          return;
        }
        default:
          response
            .writeHead(404, { 'content-type': 'text/plain' })
            .end('not found; this server has /metrics and /healthz\n');
      }
    };
    answer().catch((error: unknown) => response.writeHead(500).end(`${messageOf(error)}\n`));
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening', { signal });
  } catch (cause) {
    throw new ActionableError({
      what: `serve metrics on 127.0.0.1:${port}`,
      why: messageOf(cause),
      next: `find the process that uses the port: ss -tlnp sport = :${port}`,
      cause,
    });
  }
  signal.addEventListener('abort', () => server.close(), { once: true });
  return server;
}
