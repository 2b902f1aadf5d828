import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Log } from '@kopsctl/agent/log.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import {
  MAX_MESSAGE_BYTES,
  MAX_REPORT_BYTES,
  NOT_YET,
  parseAttestation,
  parseCertificates,
  parseGoodbye,
  parsePlanWish,
  PATHS,
  printAttested,
  printCertificates,
  printHello,
} from '@kopsctl/node-identity/messages.ts';
import { Refusal, type Session } from './session.ts';

/** For a request to arrive. Answers may take longer: the controller manager may be starting. */
const REQUEST_MS = 10_000;
/** A machine that boots reports twice a second. Nothing else asks as often. */
const MAX_REQUESTS_PER_MINUTE = 300;
const MINUTE_MS = 60_000;
/** A machine with nothing to say hangs up sooner: one that is silent for longer is gone, and has to be called again. */
const SILENCE_MS = 60_000;

/** Answers on connections to machines; each has a session of its own. */
export class SessionServer {
  readonly #server: Server;
  readonly #sessions = new WeakMap<object, Served>();

  readonly #silenceMs: number;

  constructor(silenceMs = SILENCE_MS) {
    this.#silenceMs = silenceMs;
    this.#server = createServer({ maxHeaderSize: 4096, keepAliveTimeout: 0 }, (request, response) => {
      const served = this.#sessions.get(request.socket);
      if (served === undefined) response.destroy();
      else served.answer(request, response);
    });
  }

  /** Serves a connection until it is closed. Resolves with the seconds after which the machine wants to be called again. */
  async serve(connection: TLSSocket, session: Session, log: Log, signal: AbortSignal): Promise<number | undefined> {
    const ended = new AbortController();
    const served = new Served(session, log, AbortSignal.any([signal, ended.signal]));
    const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    const stop = (): void => void connection.destroy();
    signal.addEventListener('abort', stop, { once: true });
    connection.setTimeout(this.#silenceMs, stop);
    this.#sessions.set(connection, served);
    this.#server.emit('connection', connection);
    await closed;
    ended.abort();
    signal.removeEventListener('abort', stop);
    return served.againSeconds;
  }
}

class Served {
  againSeconds: number | undefined;
  readonly #session: Session;
  readonly #log: Log;
  readonly #signal: AbortSignal;
  #last: Promise<void> = Promise.resolve();
  #minute = { startMs: performance.now(), requests: 0 };

  constructor(session: Session, log: Log, signal: AbortSignal) {
    this.#session = session;
    this.#log = log;
    this.#signal = signal;
  }

  /** One after the other, however many a machine sends at once. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#last = this.#last.then(() => this.#answer(request, response));
  }

  /** Never rejects. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!this.#isModest()) throw new Error(`more than ${MAX_REQUESTS_PER_MINUTE} requests in a minute`);
      const text = await this.#answerTo(request);
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    } catch (error) {
      if (this.#signal.aborted) return;
      const status = error instanceof Refusal ? error.status : 500;
      // That a key is not known yet is how every machine begins.
      if (status !== 401) this.#log.warn('refused', { path: request.url, error });
      // The text is the same for every reason. After a refusal there is nothing to say on this connection.
      response.writeHead(status, status === 401 ? {} : { connection: 'close' }).end('refused\n');
    }
  }

  async #answerTo(request: IncomingMessage): Promise<string | Uint8Array> {
    if (request.method !== 'POST') throw new Refusal(400, `the method is ${request.method}`);
    const body = async (maxBytes = MAX_MESSAGE_BYTES): Promise<Buffer> => {
      // The limits of Node's server hold only where it listens itself.
      const late = setTimeout(() => request.destroy(), REQUEST_MS);
      return readWhole(request, maxBytes).finally(() => clearTimeout(late));
    };
    const message = async <T>(parse: (text: string) => T): Promise<T> => {
      const bytes = await body();
      try {
        return parse(bytes.toString('utf8'));
      } catch (error) {
        throw new Refusal(
          400,
          `its message is not understood: ${error instanceof Error ? error.message : 'no reason'}`,
        );
      }
    };
    switch (request.url) {
      case PATHS.hello:
        await body();
        return printHello(this.#session.hello());
      case PATHS.attest: {
        const { isNew, ...attested } = await this.#session.attest(await message(parseAttestation), this.#signal);
        if (isNew) this.#log.info('enrolled', { node: attested.nodeName });
        return printAttested(attested);
      }
      case PATHS.plan:
        return this.#session.plan(await message(parsePlanWish), this.#signal);
      case PATHS.certificates: {
        const certificates = await this.#session.certificates(await message(parseCertificates), this.#signal);
        if (certificates === undefined) return NOT_YET;
        this.#log.info('certificates signed');
        return printCertificates(certificates);
      }
      case PATHS.report:
        this.#session.mustBeAttested();
        await this.#session.report(await body(MAX_REPORT_BYTES), this.#signal);
        return '{}';
      case PATHS.goodbye:
        this.againSeconds = this.#session.goodbye(await message(parseGoodbye));
        return '{}';
      default:
        throw new Refusal(400, `nothing is at ${request.url}`);
    }
  }

  #isModest(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#minute.startMs > MINUTE_MS) this.#minute = { startMs: nowMs, requests: 0 };
    this.#minute.requests += 1;
    return this.#minute.requests <= MAX_REQUESTS_PER_MINUTE;
  }
}
