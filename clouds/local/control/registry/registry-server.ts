import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { DOCKER_HUB } from '@kopsctl/spec/image-reference.ts';
import { byteRange } from '../metadata/serve-asset.ts';
import { HttpError, requestUrl } from '../supervisor/http-json.ts';
import type { Blob } from './blob.ts';
import type { ImageLibrary } from './image-library.ts';

/** Layers have hundreds of megabytes; large reads take less CPU time. */
const READ_BYTES = 1 << 20;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** A code of the OCI distribution specification 1.1, "Error codes". */
type ErrorCode = 'NAME_UNKNOWN' | 'MANIFEST_UNKNOWN' | 'BLOB_UNKNOWN' | 'UNSUPPORTED';

/**
 * The pulling half of the OCI distribution API. containerd asks it as the mirror of every registry, and names in `ns`
 * which one it means: machines of a local cluster reach no other.
 */
export function createRegistryServer(library: ImageLibrary, log: Log): Server {
  return createServer((request, response) => {
    answer(library, request, response).catch((error: unknown) => {
      // The caller closed the connection during the response.
      if (!response.headersSent && codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') {
        log.warn('request refused', { method: request.method, url: request.url, error });
        response.writeHead(error instanceof HttpError ? error.status : 500);
      }
      response.end();
    });
  });
}

async function answer(library: ImageLibrary, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'UNSUPPORTED');
  const { pathname, searchParams } = requestUrl(request);
  if (pathname === '/v2/' || pathname === '/v2') return void response.writeHead(200, { 'content-length': 0 }).end();
  const [, name = '', kind, reference = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
  if (kind === undefined) return refuse(response, 404, 'NAME_UNKNOWN');
  const isManifest = kind === 'manifests';
  const image = `${searchParams.get('ns') ?? DOCKER_HUB}/${name}:${reference}`;
  const digest = DIGEST.test(reference) || !isManifest ? reference : await library.manifestDigest(image);
  const blob = digest === undefined ? undefined : await library.blob(digest);
  const mediaType = blob !== undefined && 'bytes' in blob ? blob.mediaType : undefined;
  if (digest === undefined || blob === undefined || (isManifest && mediaType === undefined)) {
    return refuse(response, 404, isManifest ? 'MANIFEST_UNKNOWN' : 'BLOB_UNKNOWN');
  }
  await send(blob, request, response, {
    'content-type': isManifest && mediaType !== undefined ? mediaType : 'application/octet-stream',
    'docker-content-digest': digest,
  });
}

async function send(
  blob: Blob,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const size = 'bytes' in blob ? blob.bytes.length : blob.part.size;
  const range = byteRange(request.headers.range, size);
  if (range === 'unsatisfiable') return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.writeHead(range === undefined ? 200 : 206, {
    ...headers,
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  if (request.method === 'HEAD' || size === 0) return void response.end();
  if ('bytes' in blob) return void response.end(blob.bytes.subarray(start, end + 1));
  const { path, part } = blob;
  const stream = createReadStream(path, {
    start: part.offset + start,
    end: part.offset + end,
    highWaterMark: READ_BYTES,
  });
  await pipeline(stream, response);
}

function refuse(response: ServerResponse, status: number, code: ErrorCode): void {
  const message = code === 'UNSUPPORTED' ? 'this registry is read-only' : 'the prepared assets do not hold it';
  const body = JSON.stringify({ errors: [{ code, message }] });
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}
