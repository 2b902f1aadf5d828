import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { checkPath, folderOfPrefix } from '../path.ts';
import type { Entry, StateStore, Stored, WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { openHttp, type StreamedAnswer } from '@kopsctl/http/http.ts';
import { ask, askStreaming, SILENCE, type Reply } from './request.ts';

/**
 * A store behind HTTP, as a machine sees the store of its cluster: the server
 * (serve.ts) decides by the identity of the machine what it may read and write. The version travels as the ETag.
 */
export function createHttpStore(url: string, silence = SILENCE): StateStore {
  const base = url.endsWith('/') ? url : `${url}/`;
  const http = { ...openHttp(), ...silence };

  async function read(path: string, signal?: AbortSignal): Promise<Stored | undefined> {
    const what = `read ${path} in ${url}`;
    const reply = await ask(http, what, { method: 'GET', url: urlOf(base, path), signal });
    if (reply.status === 404) return undefined;
    if (reply.status !== 200) throw refusal(what, reply);
    return { bytes: reply.body, version: versionOf(what, reply) };
  }

  return {
    url,

    async read(path, signal) {
      checkPath(url, path);
      return read(path, signal);
    },

    async write(path, bytes, condition, signal) {
      checkPath(url, path);
      const what = `write ${path} in ${url}`;
      const headers = headersOf(condition);
      const reply = await ask(http, what, { method: 'PUT', url: urlOf(base, path), headers, body: bytes, signal });
      if (reply.status === 200) return { version: versionOf(what, reply) };
      if (reply.status !== 412) throw refusal(what, reply);
      // The conflict may be with our own earlier attempt, whose answer was lost.
      const there = reply.wasRepeated ? await read(path, signal) : undefined;
      if (there !== undefined && Buffer.compare(there.bytes, bytes) === 0) return { version: there.version };
      throw new ConflictError(url, path, reasonOf(reply));
    },

    async readStream(path, signal) {
      checkPath(url, path);
      const what = `read ${path} in ${url}`;
      const reply = await askStreaming(http, what, { method: 'GET', url: urlOf(base, path), signal });
      if (reply.status !== 200) {
        const whole = await collected(reply);
        if (reply.status === 404) return undefined;
        throw refusal(what, whole);
      }
      const size = Number(reply.headers['content-length'] ?? Number.NaN);
      if (Number.isNaN(size)) throw notAStore(what, 'its answer has no length');
      return { chunks: reply.body, size, version: versionOf(what, reply) };
    },

    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      const what = `write ${path} in ${url}`;
      const headers = headersOf(condition);
      const reply = await askStreaming(http, what, { method: 'PUT', url: urlOf(base, path), headers, chunks, signal });
      const whole = await collected(reply);
      if (reply.status === 200) return { version: versionOf(what, reply) };
      if (reply.status === 412) throw new ConflictError(url, path, reasonOf(whole));
      throw refusal(what, whole);
    },

    async delete(path, condition, signal) {
      checkPath(url, path);
      const what = `delete ${path} in ${url}`;
      const headers = condition === undefined ? {} : headersOf(condition);
      const reply = await ask(http, what, { method: 'DELETE', url: urlOf(base, path), headers, signal });
      if (reply.status === 412) throw new ConflictError(url, path, reasonOf(reply));
      if (reply.status !== 200 && reply.status !== 204 && reply.status !== 404) throw refusal(what, reply);
    },

    async list(prefix, signal) {
      const folder = folderOfPrefix(url, prefix);
      const what = `list ${prefix === '' ? 'all' : prefix} in ${url}`;
      const target = new URL(base);
      target.searchParams.set('prefix', folder);
      const reply = await ask(http, what, { method: 'GET', url: target, signal });
      if (reply.status !== 200) throw refusal(what, reply);
      return parseEntries(what, reply);
    },
  };
}

/** An answer that gives the reason of a refusal: only its beginning is read. */
async function collected(reply: StreamedAnswer): Promise<Pick<Reply, 'status' | 'body'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body: AsyncIterable<Buffer> = reply.body;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > 64 * 1024) break;
  }
  return { status: reply.status, body: Buffer.concat(chunks) };
}

function urlOf(base: string, path: string): URL {
  return new URL(base + path.split('/').map(encodeURIComponent).join('/'));
}

function headersOf(condition: WriteCondition): Record<string, string> {
  return 'ifAbsent' in condition ? { 'if-none-match': '*' } : { 'if-match': `"${condition.ifVersion}"` };
}

function versionOf(what: string, reply: Pick<Reply, 'headers'>): string {
  const version = /^"(.+)"$/.exec(reply.headers.etag ?? '')?.[1];
  if (version !== undefined) return version;
  throw notAStore(what, `its answer has no ETag (found ${reply.headers.etag ?? 'none'})`);
}

function parseEntries(what: string, reply: Reply): Entry[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(reply.body.toString('utf8'));
  } catch (cause) {
    throw notAStore(what, 'its list is not JSON', cause);
  }
  if (Array.isArray(parsed) && parsed.every(isEntry)) return parsed;
  throw notAStore(what, 'its list contains something other than entries');
}

function isEntry(value: unknown): value is Entry {
  const { path, size, version, modifiedMs } = asRecord(value);
  return (
    typeof path === 'string' &&
    typeof size === 'number' &&
    typeof version === 'string' &&
    typeof modifiedMs === 'number'
  );
}

function reasonOf(reply: Pick<Reply, 'status' | 'body'>): string {
  return reply.body.toString('utf8', 0, 500).trim() || `the server answered ${reply.status}`;
}

function refusal(what: string, reply: Pick<Reply, 'status' | 'body'>): ActionableError {
  if (reply.status === 403) {
    return new ActionableError({
      what,
      why: `the role of this machine may not do that (403: ${reasonOf(reply)})`,
      next: 'only control-plane machines may read keys; check the role of the instance group that this machine belongs to',
    });
  }
  return new ActionableError({
    what,
    why: `the server answered ${reply.status}: ${reasonOf(reply)}`,
    next: 'check that the address names a state store (boot.json on a machine, --state elsewhere)',
  });
}

function notAStore(what: string, why: string, cause?: unknown): ActionableError {
  return new ActionableError({
    what,
    why,
    next: 'check that the address names a state store, not another server',
    cause,
  });
}
