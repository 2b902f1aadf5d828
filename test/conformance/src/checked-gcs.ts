import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Mutex } from '@kopsctl/agent/mutex.ts';
import type { GcsServer } from './gcs-server.ts';
import type { StorageRight } from './storage-rights.ts';

export interface CheckedGcsOptions {
  /** The server of everything but objects: buckets and their policies. */
  readonly others?: string;
  /** Where it listens; by default at a free port of the loopback interface. */
  readonly at?: { readonly host: string; readonly port: number };
  /** Whether the holder of a token may do this; everybody may do everything by default. `object` is absent for lists. */
  readonly may?: (token: string, right: StorageRight, bucket: string, object: string | undefined) => boolean;
}

/** The path of an object, or of all of them. */
const PATH = /^(?<upload>\/upload)?\/storage\/v1\/b\/(?<bucket>[^/]+)\/o(?:\/(?<object>[^/]+))?$/;

/**
 * Stands in front of fake-gcs-server and does what that server leaves out: a deletion is held to its precondition, as Cloud
 * Storage does it, and tokens have rights. Requests that change one object go through one after the other, so that nothing
 * happens between the check and the deletion.
 */
export async function startCheckedGcs(
  behind: string,
  { others, at = { host: '127.0.0.1', port: 0 }, may }: CheckedGcsOptions = {},
): Promise<GcsServer> {
  const changes = new Map<string, Mutex>();
  const turnOf = (name: string): Mutex => {
    const turn = changes.get(name) ?? new Mutex();
    changes.set(name, turn);
    return turn;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', behind);
    const path = PATH.exec(url.pathname)?.groups;
    if (path === undefined && others !== undefined) return pass(request, new URL(request.url ?? '/', others), response);
    const { upload, bucket = '', object: inPath } = path ?? {};
    const object = upload === undefined ? inPath && decodeURIComponent(inPath) : (url.searchParams.get('name') ?? '');
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (may !== undefined && !may(token, rightFor(request.method, object), bucket, object)) {
      return refuse(response, 403, `no permission for ${request.method} ${url.pathname}`, 'forbidden');
    }
    const isChange = object !== undefined && request.method !== 'GET';
    if (!isChange) return pass(request, url, response);
    await turnOf(`${bucket}/${object}`).run(async () => {
      const wanted = request.method === 'DELETE' ? url.searchParams.get('ifGenerationMatch') : null;
      if (wanted !== null) {
        const found = await fetch(`${behind}${url.pathname}`);
        const generation = found.ok ? String(((await found.json()) as { generation: unknown }).generation) : undefined;
        if (generation !== undefined && generation !== wanted) {
          return refuse(
            response,
            412,
            'At least one of the pre-conditions you specified did not hold.',
            'conditionNotMet',
          );
        }
      }
      await pass(request, url, response);
    });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => response.destroy(thrown as Error));
  }).listen(at.port, at.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://${at.host}:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function rightFor(method: string | undefined, object: string | undefined): StorageRight {
  if (method === 'GET') return object === undefined ? 'list' : 'get';
  return method === 'DELETE' ? 'delete' : 'create';
}

/** Passes a request on, and its answer back, unchanged. */
async function pass(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
  const { host: _, ...headers } = request.headers;
  const onward = ask(url, { method: request.method ?? 'GET', headers });
  const answered = once(onward, 'response') as Promise<[IncomingMessage]>;
  const [[answer]] = await Promise.all([answered, pipeline(request, onward)]);
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  await pipeline(answer, response);
}

/** In the form of the JSON API. */
function refuse(response: ServerResponse, code: number, message: string, reason: string): void {
  const error = { code, message, errors: [{ domain: 'global', reason, message }] };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
