import type { IncomingMessage, ServerResponse } from 'node:http';

/** The response to a request that cannot be served. */
export class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The largest body contains the user data of a machine; clouds allow 16 KiB, and this is a generous multiple. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Parses the body of a request as JSON; undefined if it is empty. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Without a text encoding, a request yields buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new HttpError(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, 'the body is not JSON');
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Aborted when the caller closes the connection. */
export function callerGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** The path and query of a request, without any authority. */
export function requestUrl(request: IncomingMessage): URL {
  try {
    return new URL((request.url ?? '/').replace(/^\/+/, '/'), 'http://local');
  } catch {
    throw new HttpError(400, 'the request target is not a URL');
  }
}
