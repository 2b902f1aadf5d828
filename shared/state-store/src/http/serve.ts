import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore, WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { checkPath, folderOfPrefix } from '../path.ts';

export interface Rights {
  /** Whether it may learn which objects there are, among the ones that it may read. */
  readonly mayList: boolean;
  mayRead(path: string): boolean;
  mayWrite(path: string): boolean;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** etcd itself warns of databases above 8 GiB; only control planes may write backups. */
const MAX_BACKUP_BYTES = 16 * 1024 * 1024 * 1024;
const isBackup = (path: string): boolean => path.split('/').includes('backups');

/** An answer other than success. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Serves a store over HTTP, as createHttpStore speaks it. `authorize` decides what the sender of a request may do;
 * a list contains only what the sender may read. `basePath` is where the store is mounted, e.g. `/state/`.
 */
export function serveStore(
  store: StateStore,
  authorize: (request: IncomingMessage) => Rights,
  options: { readonly basePath?: string; readonly maxBodyBytes?: number } = {},
): Handler {
  const basePath = `/${(options.basePath ?? '').split('/').filter(Boolean).join('/')}/`.replace('//', '/');
  const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const aborted = new AbortController();
    response.on('close', () => aborted.abort());
    const target = targetOf(request.url ?? '/', basePath);
    const call = { store, rights: authorize(request), request, response, signal: aborted.signal, maxBodyBytes };
    if (target.path === '') return sendList(call, target.prefix);
    refuseTraversal(() => checkPath(store.url, target.path));
    switch (request.method ?? 'none') {
      case 'GET':
      case 'HEAD':
        return sendObject(call, target.path);
      case 'PUT':
        return receiveObject(call, target.path);
      case 'DELETE':
        return deleteObject(call, target.path);
      default:
        throw new Refusal(405, `${request.method} is not supported`);
    }
  }

  return (request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      sendRefusal(request, response, thrown);
    });
  };
}

interface Call {
  readonly store: StateStore;
  readonly rights: Rights;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  readonly maxBodyBytes: number;
}

async function sendList(call: Call, prefix: string): Promise<void> {
  if (call.request.method !== 'GET') throw new Refusal(405, 'only GET is supported here');
  refuseTraversal(() => folderOfPrefix(call.store.url, prefix));
  // Checked before the folder is read: an answer must not tell whether anything is there.
  if (!call.rights.mayList) throw new Refusal(403, `"${prefix}" may not be listed by this machine`);
  const entries = await call.store.list(prefix, call.signal);
  const visible = entries.filter((entry) => call.rights.mayRead(entry.path));
  if (visible.length === 0 && entries.length > 0)
    throw new Refusal(403, `nothing below "${prefix}" may be read by this machine`);
  call.response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(visible));
}

async function sendObject(call: Call, path: string): Promise<void> {
  if (!call.rights.mayRead(path)) throw new Refusal(403, `${path} may not be read by this machine`);
  const done = new AbortController();
  const stored = await call.store.readStream(path, AbortSignal.any([call.signal, done.signal]));
  if (stored === undefined) throw new Refusal(404, `${path} is not there`);
  call.response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': stored.size,
    etag: `"${stored.version}"`,
  });
  if (call.request.method !== 'HEAD') return pipeline(stored.chunks, call.response);
  // A stream that is not read to its end has to be aborted.
  done.abort();
  call.response.end();
}

async function receiveObject(call: Call, path: string): Promise<void> {
  if (!call.rights.mayWrite(path)) throw new Refusal(403, `${path} may not be written by this machine`);
  const condition = conditionOf(call.request);
  if (condition === undefined)
    throw new Refusal(428, 'a write needs a condition: send If-None-Match: * or If-Match: "<version>"');
  const maxBytes = isBackup(path) ? Math.max(call.maxBodyBytes, MAX_BACKUP_BYTES) : call.maxBodyBytes;
  const tooLarge = () => new Refusal(413, `the body is larger than ${maxBytes} bytes`);
  if (Number(call.request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const body = atMost(call.request, maxBytes, tooLarge);
  const { version } = await call.store.writeStream(path, body, condition, call.signal);
  call.response.writeHead(200, { etag: `"${version}"` }).end();
}

async function deleteObject(call: Call, path: string): Promise<void> {
  if (!call.rights.mayWrite(path)) throw new Refusal(403, `${path} may not be deleted by this machine`);
  const condition = conditionOf(call.request);
  if (condition !== undefined && 'ifAbsent' in condition)
    throw new Refusal(400, 'If-None-Match makes no sense with DELETE');
  await call.store.delete(path, condition, call.signal);
  call.response.writeHead(204).end();
}

function conditionOf(request: IncomingMessage): WriteCondition | undefined {
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = request.headers;
  if (ifNoneMatch === '*' && ifMatch === undefined) return { ifAbsent: true };
  const version = /^"([^"]+)"$/.exec(ifMatch ?? '')?.[1];
  if (version !== undefined && ifNoneMatch === undefined) return { ifVersion: version };
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  throw new Refusal(400, 'the condition is neither If-None-Match: * nor If-Match: "<one version>"');
}

async function* atMost(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    yield chunk;
  }
}

/** Splits the raw target by hand: URL would resolve `..` before it can be refused. */
function targetOf(raw: string, basePath: string): { readonly path: string; readonly prefix: string } {
  const [pathname = '', query = ''] = raw.split(/\?(.*)/s);
  if (!`${pathname}/`.startsWith(basePath)) throw new Refusal(404, `the store is at ${basePath}`);
  const prefix = new URLSearchParams(query).get('prefix') ?? '';
  try {
    return { path: pathname.slice(basePath.length).split('/').map(decodeURIComponent).join('/'), prefix };
  } catch {
    throw new Refusal(400, 'the path is not valid percent-encoding');
  }
}

function refuseTraversal(check: () => unknown): void {
  try {
    check();
  } catch (thrown) {
    throw new Refusal(400, messageOf(thrown));
  }
}

function sendRefusal(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
  const status = thrown instanceof Refusal ? thrown.status : thrown instanceof ConflictError ? 412 : 500;
  const why = thrown instanceof ConflictError ? thrown.why : messageOf(thrown);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  // The rest of a refused upload is not read; the connection is closed instead.
  response
    .writeHead(status, { 'content-type': 'text/plain', ...(!request.complete && { connection: 'close' }) })
    .end(`${why}\n`);
}
