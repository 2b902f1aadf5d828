import { createHash } from 'node:crypto';
import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { refusalOf } from '@kopsctl/google/google-refusal.ts';
import { openHttp, type StreamedAnswer } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import type { GcsToken } from './gcs-token.ts';

export interface GcsObject {
  readonly name: string;
  readonly generation: string;
  readonly size: number;
  readonly updated: string;
}

export interface GcsPage {
  readonly objects: readonly GcsObject[];
  readonly nextPageToken?: string;
}

type Signal = AbortSignal | undefined;

/**
 * The requests of Cloud Storage's JSON API that a store makes, each once: a caller that retries has to know whether a
 * conflict may be with an earlier try. Every request ends when its signal aborts, or when nothing has come or gone for
 * a while.
 *
 * Google's own client takes no signal and sets no limit to a silence, so a request to a server that fell silent never ended.
 *
 * @throws GoogleRefusal for every answer other than success
 */
export interface GcsClient {
  find(name: string, signal: Signal): Promise<GcsObject>;
  read(name: string, generation: string, signal: Signal): Promise<Buffer>;
  /** Bytes that differ from the stored ones are an error of the stream. */
  readStream(name: string, generation: string, signal: Signal): Promise<AsyncIterable<Uint8Array>>;
  /** `ifGeneration` 0 means that nothing may be there. */
  upload(
    name: string,
    body: Uint8Array | AsyncIterable<Uint8Array>,
    ifGeneration: string,
    signal: Signal,
  ): Promise<GcsObject>;
  remove(name: string, ifGeneration: string | undefined, signal: Signal): Promise<void>;
  list(prefix: string, pageToken: string | undefined, signal: Signal): Promise<GcsPage>;
}

export interface GcsServerOptions {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Absent for a server that gets no credentials. */
  readonly token?: GcsToken;
  /** How long the server may say nothing. */
  readonly silenceMs: number;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** What is read into memory: everything but backups, which are streamed. */
const MAX_OBJECT_BYTES = 1024 * 1024 * 1024;

export function openGcsClient({ endpoint, bucket, token, silenceMs }: GcsServerOptions): GcsClient {
  const http = openHttp();
  const objects = `/storage/v1/b/${encodeURIComponent(bucket)}/o`;
  const pathOf = (name: string): string => `${objects}/${encodeURIComponent(name)}`;

  async function send(
    method: string,
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    signal: Signal,
    body?: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<StreamedAnswer> {
    const url = new URL(endpoint + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const headers = {
      ...(token && { authorization: `Bearer ${await token(signal)}` }),
      ...(body && { 'content-type': 'application/octet-stream' }),
    };
    const answer = await http.stream({ method, url, headers, body, silenceMs }, signal);
    if (answer.status >= 200 && answer.status <= 299) return answer;
    const text = (await readWhole(answer.body, MAX_ANSWER_BYTES)).toString('utf8');
    throw refusalOf(`${method} ${url.pathname}`, answer.status, text);
  }

  async function parsed(answer: StreamedAnswer): Promise<AnswerFields> {
    const text = (await readWhole(answer.body, MAX_ANSWER_BYTES)).toString('utf8');
    return new AnswerFields(JSON.parse(text), 'Cloud Storage');
  }

  const readStream: GcsClient['readStream'] = async (name, generation, signal) =>
    verified(await send('GET', pathOf(name), { alt: 'media', generation }, signal));

  return {
    readStream,
    async find(name, signal) {
      return objectIn(await parsed(await send('GET', pathOf(name), {}, signal)));
    },
    async read(name, generation, signal) {
      return readWhole(await readStream(name, generation, signal), MAX_OBJECT_BYTES);
    },
    async upload(name, body, ifGeneration, signal) {
      const query = { uploadType: 'media', name, ifGenerationMatch: ifGeneration };
      const md5 = createHash('md5');
      const sent = body instanceof Uint8Array ? body : hashed(body, (chunk) => md5.update(chunk));
      if (body instanceof Uint8Array) md5.update(body);
      const answer = await parsed(await send('POST', `/upload${objects}`, query, signal, sent));
      const made = objectIn(answer);
      const [kept, wanted] = [answer.text('md5Hash', ''), md5.digest('base64')];
      if (kept === '' || kept === wanted) return made;
      await send('DELETE', pathOf(name), { ifGenerationMatch: made.generation }, signal);
      throw new Error(`Cloud Storage has stored other bytes than were sent (MD5 ${kept} instead of ${wanted})`);
    },
    async remove(name, ifGeneration, signal) {
      const answer = await send('DELETE', pathOf(name), { ifGenerationMatch: ifGeneration }, signal);
      // Its connection can be used again only once the answer was read.
      await readWhole(answer.body, MAX_ANSWER_BYTES);
    },
    async list(prefix, pageToken, signal) {
      const answer = await parsed(await send('GET', objects, { prefix, pageToken }, signal));
      const next = answer.text('nextPageToken', '');
      return { objects: answer.list('items').map(objectIn), ...(next !== '' && { nextPageToken: next }) };
    },
  };
}

function objectIn(fields: AnswerFields): GcsObject {
  const size = fields.text('size', '0');
  if (!/^\d+$/.test(size))
    throw new Error(`Cloud Storage sent an unexpected answer: a size of ${JSON.stringify(size)}`);
  return {
    name: fields.text('name'),
    generation: fields.text('generation'),
    size: Number(size),
    updated: fields.text('updated', ''),
  };
}

/** The bytes of an object. Their MD5 is compared with that of what was stored, which Google sends for all but composite objects. */
async function* verified({ headers, body }: StreamedAnswer): AsyncGenerator<Uint8Array> {
  const wanted = /\bmd5=([^,\s]+)/.exec(String(headers['x-goog-hash'] ?? ''))?.[1];
  const md5 = createHash('md5');
  yield* hashed(body, (chunk) => md5.update(chunk));
  const found = md5.digest('base64');
  if (wanted !== undefined && wanted !== found)
    throw new Error(`Cloud Storage sent other bytes than it holds (MD5 ${found} instead of ${wanted})`);
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  see: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}
