import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { HttpError } from '../supervisor/http-json.ts';

/** Images have hundreds of megabytes; large reads take less CPU time. */
const READ_BYTES = 1024 * 1024;

/** Serves a file of the assets folder, whole or in part, so that an interrupted download can resume. */
export async function serveAsset(
  folder: string,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpError(405, 'assets are read-only');
  if (!/^[\w@+=~-][\w@+=~.-]*$/.test(name)) throw new HttpError(404, 'no such asset');
  let file: FileHandle;
  try {
    file = await open(join(folder, name), 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new HttpError(404, `no asset ${name}`);
    throw error;
  }
  try {
    const { size, isFile } = await file.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }));
    if (!isFile) throw new HttpError(404, `no asset ${name}`);
    const range = byteRange(request.headers.range, size);
    if (range === 'unsatisfiable') {
      response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
      return;
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    response.writeHead(range === undefined ? 200 : 206, {
      'content-type': 'application/octet-stream',
      'content-length': end - start + 1,
      'accept-ranges': 'bytes',
      ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
    });
    if (request.method === 'HEAD' || size === 0) {
      response.end();
      return;
    }
    await pipeline(file.createReadStream({ start, end, highWaterMark: READ_BYTES, autoClose: false }), response);
  } finally {
    await file.close();
  }
}

/** Parses a single byte range; undefined, for the whole file, if the header has a form that is not served in parts. */
export function byteRange(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
