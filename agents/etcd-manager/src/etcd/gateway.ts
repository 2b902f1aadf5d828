import { readFile } from 'node:fs/promises';
import { type Http, NoAnswerError, type TlsIdentity } from '@kopsctl/http/http.ts';
import { parseAnswer, type Answer } from './answers.ts';

/** The PEM files that a client of etcd presents and trusts. */
export interface ClientFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** The JSON gateway of one etcd. */
export interface Gateway {
  /**
   * Calls a method of etcd's API by its path below `/v3`, e.g. `/kv/range`.
   * @throws when etcd does not answer within `timeoutMs`, answers with an error, or does not know the method
   */
  call(path: string, body: object, signal: AbortSignal, timeoutMs?: number): Promise<Answer>;
  /** The text of a page, e.g. `/metrics`. @throws as `call` does */
  get(path: string, signal: AbortSignal): Promise<string>;
}

/** An etcd on the same machine or network answers at once, or it is not healthy. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Members, alarms, a count or metrics are a fraction of it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** etcd 3.3 serves its gateway as v3beta, etcd 3.4 and newer as v3. During an upgrade either may be running. */
const ROOTS = ['/v3', '/v3beta'] as const;

/** The gateway of the etcd at `url`. */
export function gatewayAt(url: string, http: Pick<Http, 'ask'>): Gateway {
  const exchange = exchangeWith(new URL(url), http);
  return {
    async call(path, body, signal, timeoutMs = ANSWER_TIMEOUT_MS) {
      for (const root of ROOTS) {
        const asked = { method: 'POST', path: `${root}${path}`, timeoutMs, body: JSON.stringify(body) };
        const { status, body: text } = await exchange.send(asked, signal);
        if (status === 200) return parseAnswer(text, `etcd at ${url} answered ${path}`);
        // etcd also answers 404 about a member that it does not find.
        if (status !== 404 || text.includes('etcdserver:'))
          throw new Error(`etcd at ${url} answered ${status} to ${path}: ${text.trim()}`);
      }
      throw new Error(`etcd at ${url} does not serve ${path}: it is not etcd 3.3 or newer`);
    },
    async get(path, signal) {
      const { status, body: text } = await exchange.send({ method: 'GET', path, timeoutMs: ANSWER_TIMEOUT_MS }, signal);
      if (status !== 200) throw new Error(`etcd at ${url} answered ${status} to ${path}`);
      return text;
    },
  };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly timeoutMs: number;
  readonly body?: string;
}

interface Exchange {
  send(asked: Asked, signal: AbortSignal): Promise<{ readonly status: number; readonly body: string }>;
}

function exchangeWith(url: URL, http: Pick<Http, 'ask'>): Exchange {
  return {
    async send({ method, path, timeoutMs, body }, signal) {
      const question = { method, url: new URL(path, url), body, silenceMs: timeoutMs, maxBytes: MAX_ANSWER_BYTES };
      try {
        return await http.ask(question, signal);
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error;
        throw new Error(`etcd at ${url.host}: ${error.message}`, { cause: error });
      }
    },
  };
}

/** What a client presents and trusts, as its files hold it now. */
export async function readClientFiles(files: ClientFiles): Promise<TlsIdentity> {
  const [ca, cert, key] = await Promise.all([readFile(files.ca), readFile(files.cert), readFile(files.key)]);
  return { ca, cert, key };
}
