import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** What an agent tells of itself. */
export interface AgentMetrics {
  /** In Prometheus's text format. */
  text(): Promise<string>;
  /** What is not well, a line each; empty: all is. */
  faults(): readonly string[];
}

/**
 * Serves `/metrics` for Prometheus and `/healthz` (200, or 503 with what is wrong, a line each) on this machine alone,
 * until the signal ends it. What it says holds no secret.
 */
export async function serveMetrics(metrics: AgentMetrics, port: number, signal: AbortSignal): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      switch (request.url) {
        case '/metrics':
          response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(await metrics.text());
          return;
        case '/healthz': {
          const faults = metrics.faults();
          const text = faults.length === 0 ? 'ok\n' : `${faults.join('\n')}\n`;
          response.writeHead(faults.length === 0 ? 200 : 503, { 'content-type': 'text/plain' }).end(text);
          return;
        }
        default:
          response.writeHead(404, { 'content-type': 'text/plain' }).end('/metrics and /healthz are here\n');
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
      next: `see who has the port: ss -tlnp sport = :${port}`,
      cause,
    });
  }
  signal.addEventListener('abort', () => server.close(), { once: true });
  return server;
}
