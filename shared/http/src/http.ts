import {
  Agent as PlainAgent,
  type AgentOptions,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { Agent as SecureAgent, type AgentOptions as SecureAgentOptions, request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { readWhole } from './read-whole.ts';
import { type Body, sendBody } from './send-body.ts';

/** How long an exchange may take. */
export type Patience =
  /** The whole exchange, to the last byte of the answer. */
  | { readonly withinMs: number; readonly silenceMs?: number }
  /** Only a time without a byte in either direction is limited: for large bodies and for watches. */
  | { readonly withinMs?: never; readonly silenceMs: number };

export type Question = Patience & {
  readonly method: string;
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body | undefined;
};

export interface Answer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface StreamedAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Read it to its end or destroy it: its connection is in use until then. An end before the announced length is an error. */
  readonly body: IncomingMessage;
}

export interface Http {
  /** One request and its whole answer as text, whatever its status. An answer larger than `maxBytes` is an error. */
  ask(question: Question & { readonly maxBytes: number }, signal: AbortSignal | undefined): Promise<Answer>;
  /** One request and the head of its answer, whatever its status. The signal and the limits hold until the body ends. */
  stream(question: Question, signal: AbortSignal | undefined): Promise<StreamedAnswer>;
  /** Ends all connections. */
  close(): void;
}

/** PEM. */
export interface TlsIdentity {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name that the server's certificate must have, where it differs from the one that is called. */
  readonly servername?: string;
}

export interface HttpOptions {
  /** A Unix socket to connect to, whatever host the URL names. */
  readonly socketPath?: string;
  /** A connection that somebody else opened: all requests to http URLs go over it, one after the other. */
  readonly connection?: Duplex;
  /** The authorities to trust, and the certificate for servers that ask for one. */
  readonly tls?: TlsIdentity;
  /** False: each request gets its own connection. */
  readonly keepAlive?: boolean;
  /** The variables http_proxy, https_proxy and no_proxy, in either case; those of this process unless given. */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>>;
  /** Connections to one server at once; requests beyond that wait. */
  readonly maxSockets?: number;
}

/**
 * Connections are kept open, and no signal is made for a request: with a connection and a signal for each, an agent
 * that asks every few seconds grows by 90 MB until V8 sees a reason to collect. It uses node:http instead of fetch,
 * which brings a second HTTP client of 17 MB.
 */
export function openHttp({
  socketPath,
  connection,
  tls,
  keepAlive = true,
  maxSockets,
  proxyEnv = process.env,
}: HttpOptions = {}): Http {
  const pool = { keepAlive, ...(maxSockets === undefined ? {} : { maxSockets }) };
  const agents = new Map<string, PlainAgent | SecureAgent>();
  const agentFor = ({ protocol, hostname }: URL): PlainAgent | SecureAgent => {
    const isNear = socketPath !== undefined || connection !== undefined || isAddress(hostname);
    const key = `${protocol} ${isNear ? 'near' : 'far'}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    // The proxy settings of the environment apply to servers with names: machines of a cluster know each other by address.
    const settings = { ...pool, ...(isNear ? {} : { proxyEnv }) };
    const agent =
      protocol === 'https:' ? new SecureAgent({ ...settings, ...inOneContext(tls) }) : plainAgent(settings, connection);
    agents.set(key, agent);
    return agent;
  };

  const stream = async (question: Question, signal: AbortSignal | undefined): Promise<StreamedAnswer> => {
    signal?.throwIfAborted();
    const { method, url, headers = {}, body, withinMs, silenceMs } = question;
    const options = {
      method,
      headers,
      ...(socketPath === undefined ? {} : { socketPath }),
      ...(silenceMs === undefined ? {} : { timeout: silenceMs }),
    };
    const target = new URL(url);
    const request = target.protocol === 'https:' ? requestSecure : requestPlain;
    const sent = request(target, { ...options, agent: agentFor(target) });
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    let answer: IncomingMessage | undefined;

    const fail = (reason: unknown): void => {
      reject(reason);
      (answer ?? sent).destroy(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const stop = (): void => fail(signal?.reason);
    const timer = withinMs === undefined ? undefined : setTimeout(() => fail(late(withinMs)), withinMs);
    signal?.addEventListener('abort', stop, { once: true });
    sent.once('timeout', () => fail(late(silenceMs ?? 0)));
    sent.once('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    });
    sent.on('error', reject);
    sent.once('response', (response) => {
      answer = response;
      // Its reader may not be there yet; the stream keeps the error for it.
      response.on('error', () => undefined);
      // The answer came before all of the body was sent. The rest is never sent, so the connection cannot be used again.
      response.once('end', () => {
        if (!sent.writableEnded) sent.destroy();
      });
      resolve(response);
    });
    sendBody(body, sent, () => answer !== undefined).catch((thrown: unknown) => {
      if (answer === undefined) fail(thrown);
    });
    const response = await promise;
    return { status: response.statusCode ?? 0, headers: response.headers, body: response };
  };

  return {
    stream,
    async ask({ maxBytes, ...question }, signal) {
      const { status, headers, body } = await stream(question, signal);
      return { status, headers, body: (await readWhole(body, maxBytes)).toString('utf8') };
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** Of one context, which takes as long to make as a handshake; sessions of it are resumed. */
const inOneContext = (tls: TlsIdentity | undefined): SecureAgentOptions =>
  tls === undefined
    ? {}
    : {
        secureContext: createSecureContext(tls),
        ...(tls.servername === undefined ? {} : { servername: tls.servername }),
      };

/** With a connection, always that one: once it is closed, requests fail. */
function plainAgent(settings: AgentOptions, connection: Duplex | undefined): PlainAgent {
  if (connection === undefined) return new PlainAgent(settings);
  const agent = new PlainAgent({ keepAlive: true, maxSockets: 1 });
  return Object.assign(agent, { createConnection: () => connection });
}

const late = (limitMs: number): Error =>
  new NoAnswerError(`no answer within ${limitMs < 1000 ? `${limitMs} ms` : `${limitMs / 1000} s`}`);

/** The exchange took longer than its limit. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}
