import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** An object in the JSON API. */
interface Held {
  readonly bytes: Buffer;
  readonly generation: number;
  readonly updated: string;
}

export interface GcsServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * The part of Cloud Storage's JSON API (v1) that a state store uses, with generation preconditions as documented
 * ("Request preconditions"). No available emulator enforces them. It shows that the store sends the intended
 * requests, not that Google's server follows its documentation. If a token is given, requests without it are refused.
 */
export async function startGcs(token?: string): Promise<GcsServer> {
  const objects = new Map<string, Held>();
  const uploads = new Map<
    string,
    { readonly name: string; readonly query: URLSearchParams; readonly parts: Buffer[] }
  >();
  let generation = 1_700_000_000_000_000;

  function put(name: string, bytes: Buffer, query: URLSearchParams): Held | undefined {
    const wanted = query.get('ifGenerationMatch');
    if (wanted !== null && Number(wanted) !== (objects.get(name)?.generation ?? 0)) return undefined;
    generation += 1;
    const held = { bytes, generation, updated: new Date().toISOString() };
    objects.set(name, held);
    return held;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const body = await collect(request);
    const send = (status: number, value?: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(value && JSON.stringify(value));
    // The form of the JSON API. A bucket that is not there has the reason of an object that is not there.
    const refuse = (status: number, message: string, reason = 'notFound') =>
      send(status, { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } });
    const stored = (name: string, held: Held | undefined) =>
      held === undefined
        ? refuse(412, 'At least one of the pre-conditions did not hold.', 'conditionNotMet')
        : send(200, describe(name, held));

    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      return void refuse(401, 'Invalid Credentials', 'authError');
    }
    const [, bucket = ''] = /\/storage\/v1\/b\/([^/]+)/.exec(url.pathname) ?? [];
    if (bucket.startsWith('missing')) return void refuse(404, 'The specified bucket does not exist.');
    const upload = /^\/upload\/storage\/v1\/b\/[^/]+\/o$/.test(url.pathname);
    if (upload && request.method === 'POST' && url.searchParams.get('uploadType') === 'multipart') {
      const { metadata, media } = parts(request.headers['content-type'] ?? '', body);
      const name = url.searchParams.get('name') ?? String(metadata['name']);
      stored(name, put(name, media, url.searchParams));
    } else if (upload && request.method === 'POST' && url.searchParams.get('uploadType') === 'media') {
      const name = url.searchParams.get('name') ?? '';
      stored(name, put(name, body, url.searchParams));
    } else if (upload && request.method === 'POST') {
      const id = randomUUID();
      const name = url.searchParams.get('name') ?? '';
      uploads.set(id, { name, query: url.searchParams, parts: [] });
      response.writeHead(200, { location: `http://${request.headers.host}${url.pathname}?upload_id=${id}` }).end();
    } else if (upload && request.method === 'PUT') {
      const session = uploads.get(url.searchParams.get('upload_id') ?? '');
      if (session === undefined) return void refuse(404, 'no such upload');
      session.parts.push(body);
      const held = Buffer.concat(session.parts);
      const [, , total = '*'] = /bytes (\S+)\/(\d+|\*)/.exec(request.headers['content-range'] ?? '') ?? [];
      if (
        total === '*' &&
        request.headers['content-range'] !== undefined &&
        !request.headers['content-range'].startsWith('bytes 0-*')
      ) {
        response.writeHead(308, { range: `bytes=0-${held.byteLength - 1}` }).end();
      } else stored(session.name, put(session.name, held, session.query));
    } else {
      const [, encoded] = /^(?:\/download)?\/storage\/v1\/b\/[^/]+\/o(?:\/(.*))?$/.exec(url.pathname) ?? [];
      if (encoded === undefined) return void send(200, list(objects, url.searchParams.get('prefix') ?? ''));
      const name = decodeURIComponent(encoded);
      const held = objects.get(name);
      const asked = url.searchParams.get('generation');
      if (held === undefined || (asked !== null && Number(asked) !== held.generation)) {
        return void refuse(404, `No such object: ${bucket}/${name}`);
      }
      const wanted = url.searchParams.get('ifGenerationMatch');
      if (wanted !== null && Number(wanted) !== held.generation) return void stored(name, undefined);
      if (request.method === 'DELETE') {
        objects.delete(name);
        response.writeHead(204).end();
      } else if (url.searchParams.get('alt') === 'media') {
        const headers = {
          'content-length': held.bytes.byteLength,
          'x-goog-hash': `crc32c=${crc32c(held.bytes)},md5=${md5(held.bytes)}`,
        };
        response.writeHead(200, headers).end(held.bytes);
      } else send(200, describe(name, held));
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => response.destroy(thrown as Error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function list(objects: ReadonlyMap<string, Held>, prefix: string) {
  const found = [...objects].filter(([name]) => name.startsWith(prefix));
  return { kind: 'storage#objects', items: found.map(([name, held]) => describe(name, held)) };
}

function describe(name: string, { bytes, generation, updated }: Held) {
  return {
    name,
    bucket: 'b',
    generation: String(generation),
    size: String(bytes.byteLength),
    updated,
    md5Hash: md5(bytes),
    crc32c: crc32c(bytes),
  };
}

function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('base64');
}

const CASTAGNOLI = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
  return rest >>> 0;
});

/** RFC 3720, B.4. The client compares it with the checksum of what it sent. */
function crc32c(bytes: Buffer): string {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = ((CASTAGNOLI[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8)) >>> 0;
  const value = Buffer.alloc(4);
  value.writeUInt32BE((rest ^ 0xffffffff) >>> 0);
  return value.toString('base64');
}

/** multipart/related: the metadata as JSON, then the media. */
function parts(contentType: string, body: Buffer) {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1] ?? '';
  const mark = Buffer.from(`--${boundary}`);
  const first = body.indexOf(mark) + mark.byteLength;
  const second = body.indexOf(mark, first);
  const third = body.lastIndexOf(mark);
  const contents = (from: number, to: number) => body.subarray(body.indexOf('\r\n\r\n', from) + 4, to - 2);
  const metadata = JSON.parse(contents(first, second).toString()) as Record<string, unknown>;
  return { metadata, media: Buffer.from(contents(second, third)) };
}

async function collect(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
