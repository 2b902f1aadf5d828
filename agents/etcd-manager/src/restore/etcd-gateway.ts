import { readFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ClientFiles } from '../etcd/client.ts';

/** Where one etcd is asked, by its own JSON gateway. Without files it is one of our own, in this machine, without TLS. */
export interface EtcdAddress {
  readonly url: string;
  readonly files?: ClientFiles;
}

type Answer = Readonly<Record<string, unknown>>;

const ANSWER_TIMEOUT_MS = 10_000;

/** What this etcd itself says, also without a quorum. Throws while it does not answer. */
export async function localStatus(
  etcd: EtcdAddress,
  signal: AbortSignal,
): Promise<{ readonly revision: number; readonly hasLeader: boolean }> {
  const answer = await ask(etcd, '/maintenance/status', {}, signal);
  const { leader } = answer;
  return { revision: revisionOf(answer), hasLeader: typeof leader === 'string' && leader !== '' && leader !== '0' };
}

/** How many keys there are, as of the answer's own revision. */
export async function countKeys(
  etcd: EtcdAddress,
  signal: AbortSignal,
): Promise<{ readonly keys: number; readonly revision: number }> {
  // The key and the end of range of one zero byte each mean all keys.
  const all = { key: base64('\0'), range_end: base64('\0'), count_only: true };
  const answer = await ask(etcd, '/kv/range', all, signal);
  return { keys: Number(answer['count'] ?? 0), revision: revisionOf(answer) };
}

/** etcd's hash of everything up to its last revision: it reads every entry, so what cannot be read is found out. */
export async function hashKeys(etcd: EtcdAddress, signal: AbortSignal): Promise<number> {
  const { hash } = await ask(etcd, '/maintenance/hash', {}, signal);
  if (typeof hash !== 'number') throw new Error(`etcd at ${etcd.url} said no hash`);
  return hash;
}

/** Deletes every key that begins so. Resolves with how many there were. */
export async function deleteBelow(etcd: EtcdAddress, prefix: string, signal: AbortSignal): Promise<number> {
  const end = Buffer.from(prefix);
  end.writeUInt8(end.readUInt8(end.byteLength - 1) + 1, end.byteLength - 1);
  const range = { key: base64(prefix), range_end: end.toString('base64') };
  const answer = await ask(etcd, '/kv/deleterange', range, signal);
  return Number(answer['deleted'] ?? 0);
}

/** etcd 3.3 serves its gateway as v3beta; from 3.4 on it is v3. During a change of version either may be running. */
const ROOTS = ['/v3', '/v3beta'] as const;

async function ask(etcd: EtcdAddress, path: string, body: object, signal: AbortSignal): Promise<Answer> {
  const credentials = await read(etcd.files);
  for (const root of ROOTS) {
    const { status, text } = await post(new URL(`${root}${path}`, etcd.url), credentials, body, signal);
    if (status === 200) return parse(text);
    if (status !== 404) throw new Error(`${etcd.url} answered ${status} to ${path}: ${text.trim()}`);
  }
  throw new Error(`${etcd.url} knows no ${path}: it is no etcd of 3.3 or newer`);
}

function post(
  url: URL,
  credentials: Awaited<ReturnType<typeof read>>,
  body: object,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const request = url.protocol === 'http:' ? requestHttp : requestHttps;
  const options = { method: 'POST', agent: false, signal, timeout: ANSWER_TIMEOUT_MS, ...credentials };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.once('timeout', () =>
      sent.destroy(new Error(`etcd at ${url.host} is silent for ${ANSWER_TIMEOUT_MS / 1000} s`)),
    );
    sent.once('error', reject);
    sent.end(JSON.stringify(body));
  });
}

async function read(files: ClientFiles | undefined) {
  if (files === undefined) return {};
  const [ca, cert, key] = await Promise.all([readFile(files.ca), readFile(files.cert), readFile(files.key)]);
  return { ca, cert, key };
}

/** The gateway writes 64-bit numbers as strings and leaves out zeros. */
function revisionOf(answer: Answer): number {
  const header = answer['header'];
  const revision: unknown = typeof header === 'object' && header !== null ? Reflect.get(header, 'revision') : undefined;
  return Number(revision ?? 0);
}

function parse(text: string): Answer {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}
